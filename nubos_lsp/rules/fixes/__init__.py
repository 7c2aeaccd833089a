"""What fixes are made of, shared by the rules: attributes, skeletons, evidence, and the trial before an offer."""
