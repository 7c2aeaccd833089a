"""The only place with I/O: it answers the questions of the core and never writes."""
