"""Text that is hard for the gate: fragments of plans, broken and whole, in any order."""

from __future__ import annotations

from hypothesis import strategies as st

FRAGMENTS = (
    *("<pattern_refs>", "</pattern_refs>", "<PATTERN_REFS>", "<pattern_ref ", "<deviation ", "/>", ">", "<", '"', "'"),
    '<Pattern_Ref symbol="ShareSegmentAction::handle" at="app/ShareSegmentAction.php:34" behavior="x"/>',
    '<pattern_ref symbol="Foo"/>',
    '<deviation ref="a" from="b" to="c"/>',
    *('at="a/b.php"', 'at="a/b.php:3-4"', 'At="x:1"', "at='x:1'", 'behaviour="no"', 'ref="" ', 'data-at="q:1"'),
    *("</a", "</action>", "</b x>", "<!--", "-->", "<tasks>", "</tasks>", "<reality_check>", "</reality_check>"),
    *("---\n", "---", "---\nslice: S001\n---\n", "key: [a\n", "key: a: b\n", "- ", "key: value\n"),
    *("\n", "\n", "\n\n", "\n \t\n", "\r\n", "\r", "\r\n\r\n", ". ", ".", ".\n", "! ", "?", " ", "\t"),
    *("\u00a0", "\u2028", "\x85", "\x1c", "\ufeff", "\x0c", "\ud800", "😀", "ü", "ß", "\u0130", "\u017f"),
    *(
        "mirror",
        "Mirrors ",
        "fully mirror ",
        "same pattern as ",
        "the same\npattern ",
        "follow the ",
        "pattern ",
        "1:1",
    ),
    *("analog zu ", "Spiegel", "identisch mit ", "übernimm das Muster ", "gleiche Muster"),
    *("`ShareSegmentAction`", "`handle()`", "`x`", "`", "Foo::bar", "app/ShareSegmentAction.php ", "FooBar", "word "),
)

_HEADS = ("", "", "---\n", "---\nslice: S001\n---\n", "\ufeff---\na: [b\n---\n", "<!-- x -->\n---\n")

_bodies = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=6), max_size=40).map("".join)
plans = st.tuples(st.sampled_from(_HEADS), _bodies).map("".join)
edits = st.tuples(
    st.integers(0, 400), st.integers(0, 40), st.lists(st.sampled_from(FRAGMENTS), max_size=2).map("".join)
)
