"""The command line: the same engine for a terminal, CI, hooks and agents. It must not load pygls, asyncio or `lsp`."""
