"""The rules, one file each, and what runs them. A rule knows snapshots and nothing of editors or files."""
