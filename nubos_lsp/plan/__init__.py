"""The plan's own notions: units, pattern references, vocabulary, ids and files. It knows nothing of rules or editors."""
