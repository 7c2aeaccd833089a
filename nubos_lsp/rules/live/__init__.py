"""The live rules: what the gate does not check and an editor can."""
