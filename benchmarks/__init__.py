"""Measurements of speed and memory, always as ratios within one run: see README.md."""
