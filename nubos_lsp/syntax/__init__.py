"""A plan's text as tags, comments, code and frontmatter: lossless, tolerant, never raising. It knows no tag names."""
