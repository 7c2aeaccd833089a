"""The editor's door: the only package that knows pygls, lsprotocol and the wire.

It must not think: it turns messages into calls of the core and the answers into plain wire values.
Nothing is imported here, so that a part of the package costs only what it needs itself.
"""
