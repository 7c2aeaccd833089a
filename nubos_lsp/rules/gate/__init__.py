"""The gate rules: the mechanical plan-lint of the seeds, to the letter."""
