"""Input made to be slow: families of texts that grow with n, each aimed at one way to go over a text twice.

The names say what is repeated. A text of size n has about n characters, whatever its pieces are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

Family = Callable[[int], str]


def _repeat(piece: str) -> Family:
    return lambda size: piece * max(1, size // len(piece))


def _block(piece: str) -> Family:
    fill = _repeat(piece)
    return lambda size: f"<pattern_refs>\n{fill(size)}\n</pattern_refs>\n"


def _blocks_before_one(size: int) -> str:
    """Many small blocks in one line, then one of many sentences: no place in it is one to cut at."""
    small = "<pattern_refs></pattern_refs>"
    return small * (size // 2 // len(small)) + "<pattern_refs>" + "a.\n" * (size // 6) + "</pattern_refs>"


def _claim(piece: str) -> Family:
    fill = _repeat(piece)
    return lambda size: f"Mirror `Foo::bar` {fill(size)} end."


def _frontmatter(piece: str) -> Family:
    fill = _repeat(piece)
    return lambda size: f"---\n{fill(size)}\n---\n\nText.\n"


def _different_claims(size: int) -> str:
    return "".join(f"Mirror `Thing{number}::run` here.\n" for number in range(size // 32))


def _different_refs(size: int) -> str:
    refs = (f'<pattern_ref symbol="A{number}" at="a/b{number}.py:1" behavior="x"/>\n' for number in range(size // 58))
    return f"<pattern_refs>\n{''.join(refs)}</pattern_refs>\n{_different_claims(size // 8)}"


def _nested(size: int) -> str:
    count = size // 13
    return "<task>" * count + "</task>" * count


def _aliases(size: int) -> str:
    levels = (f"a{level}: &a{level} [{', '.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, size // 60 + 2))
    return f"---\na0: &a0 [x, x]\n{''.join(levels)}---\n"


FAMILIES: Mapping[str, Family] = {
    "no sentence end, many mirror phrases": _repeat("mirror the Foo::bar and the same pattern as Baz "),
    "no sentence end, German phrases": _repeat("spiegelt analog zu genauso wie nach dem Muster "),
    "no sentence end, umlauts": _repeat("übernimm ühüöä "),
    "unclosed <task": _repeat("<task "),
    "unclosed <task>": _repeat("<task>"),
    "nested <task>": _nested,
    "<!--": _repeat("<!--"),
    "<!-- on lines": _repeat("<!-- x\n"),
    "-->": _repeat("-->"),
    "<pattern_refs>": _repeat("<pattern_refs>"),
    "blocks in a line before a long one": _blocks_before_one,
    "</pattern_refs>": _repeat("</pattern_refs>"),
    "<pattern_refs><!--": _repeat("<pattern_refs><!--"),
    "</a without >": _repeat("</a"),
    "</aaaa…": lambda size: "</" + "a" * size,
    "<": _repeat("<"),
    "< a": _repeat("< a "),
    "block: <pattern_ref": _block("<pattern_ref "),
    'block: <pattern_ref x="': _block('<pattern_ref x="'),
    'block: <pattern_ref at="': _block('<pattern_ref at="a" behavior=" '),
    "block: <pattern_ref, one quote at the end": lambda size: _block("<pattern_ref ")(size).replace("\n</", '"\n</'),
    "block: quotes": _block('"'),
    "block: quotes and >": _block('">'),
    "block: <!--": _block("<!--"),
    "block: deviations": _block("<deviation ref='a'>"),
    "block: attribute name aaaa…": lambda size: _block("<pattern_ref " + "a" * size + "/>")(1),
    "block: attribute names": _block("<pattern_ref a a a a a a a a a a a a a a a a a a a a="),
    "block: attribute, spaces before =": lambda size: _block("<pattern_ref at" + " " * size + "/>")(1),
    "block: at, long path": lambda size: _block('<pattern_ref at="' + "a/" * (size // 2) + '" behavior="x"/>')(1),
    "block: at, digits": lambda size: _block('<pattern_ref at="a:' + "1" * size + 'x" behavior="x"/>')(1),
    "one pattern_ref each line": _block('<pattern_ref symbol="A::b" at="a/b.py:1" behavior="x"/>\n'),
    "different refs and claims": _different_refs,
    "different claims": _different_claims,
    "backticks": _repeat("`"),
    "backticks and letters": _repeat("`a"),
    "fences": _repeat("```\n"),
    "fences, one longer than the other": lambda size: "".join(
        "`" * (3 + n) + "\n" for n in range(int((2 * size) ** 0.5))
    ),
    "follow the + spaces": lambda size: "follow the" + " " * size,
    "follow the, again and again": _repeat("follow the "),
    "copy the + line feeds": _repeat("copy the\n"),
    "same + spaces": lambda size: "the same" + " " * size + "x",
    "in the same way + spaces": _repeat("in the same     "),
    "one line of words": _repeat("word "),
    "one word": _repeat("w"),
    "CR line ends": _repeat("a line of words\r"),
    "CR, LF and CRLF in turn": _repeat("a\rb\nc\r\n"),
    "U+2028 between words": _repeat("word\u2028"),
    "claim: a.a.a.a/": _claim("a.a.a.a/"),
    "claim: a/a/a": _claim("a/"),
    "claim: one segment": _claim("a"),
    "claim: dots": _claim("."),
    "claim: PascalCase": _claim("FooBar"),
    "claim: Aa::": _claim("Aa::"),
    "claim: a->": _claim("a->"),
    "claim: backticks": _claim("`"),
    "path: a.a.a.a/": _repeat("a.a.a.a/"),
    "path: -": _repeat("-/"),
    "spaces and tabs between line feeds": _repeat("\n" + " \t" * 40),
    "one line of spaces": lambda size: "a\n" + " " * size + "b",
    "spaces before a line feed": lambda size: " \t" * (size // 2) + "\n",
    "full stops": _repeat("."),
    "full stops and spaces": _repeat(". "),
    "emoji": _repeat("😀 mirror `Foo` "),
    "lone surrogates": _repeat("\ud800"),
    "NUL": _repeat("\x00"),
    "frontmatter: [": _frontmatter("["),
    "frontmatter: {a: ": _frontmatter("{a: "),
    "frontmatter: - - -": _frontmatter("- "),
    "frontmatter: keys": lambda size: _frontmatter("".join(f"key{n}: value\n" for n in range(size // 14)))(1),
    "frontmatter: aliases": _aliases,
    "frontmatter: never closed": lambda size: "---\n" + "a: b\n" * (size // 5),
    "frontmatter: rules": _repeat("---\n"),
    "list items": _repeat("- x\n"),
    "nested quotes": lambda size: "> " * (size // 2),
    "nested list": lambda size: "".join(" " * n + "- x\n" for n in range(int((2 * size) ** 0.5))),
    "brackets": _repeat("["),
    "links": _repeat("[a](b "),
    "asterisks": _repeat("*a "),
    "files_read entries": lambda size: "<reality_check>\n<files_read>\n" + "- a/b.py:1 (x)\n" * (size // 15),
}
