"""The plan's own notions: units, pattern references, vocabulary, ids and files. It knows no rules and no editors."""
