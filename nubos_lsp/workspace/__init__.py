"""Frozen values that rules and features work on: documents, settings, facts, snapshots."""
