"""Plans for the scenarios. What covers what is the business of the rules' own tests; here one claim is like another."""

from __future__ import annotations

PHRASE = "Fully mirror"
SENTENCE = f"{PHRASE} the pattern of `ShareSegmentAction`."
"""A mirror claim. Its finding covers the phrase."""

REF = """<pattern_ref symbol="ShareSegmentAction" at="app/ShareSegmentAction.php:3" behavior="grants a share"/>"""

PLAN = f"""---
slice: M001-S001
---

<objective>
A dashboard is shared. {SENTENCE}
</objective>

<reality_check>
  <files_read>
    - app/ShareSegmentAction.php:3
  </files_read>
  <pattern_refs>
  </pattern_refs>
</reality_check>
"""
"""One claim, and a block where what covers it can stand."""

CLEAN = PLAN.replace("  <pattern_refs>\n", f"  <pattern_refs>\n    {REF}\n")
"""The same, complete."""

SOURCE = "<?php\n\nfinal class ShareSegmentAction\n{\n    public function handle(): void {}\n}\n"
"""The file that the plans cite; the class is on line 3."""
