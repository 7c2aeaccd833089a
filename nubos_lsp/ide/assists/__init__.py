"""Actions at the cursor that need no finding, one file each.

An assist is a function of a snapshot and a span (the selection) that gives what can be done there.
"""
