"""One file a request: from the wire, a call into the core, to the wire. No thinking here."""
