"""Spans, encodings, line ends and edits: what every other package says about text. It knows nothing of plans."""
