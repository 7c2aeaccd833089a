"""How plans name files: what counts as a citation, and where its parts stand."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nubos_lsp.plan.citations import ABSURD_LINE, Citation, find_citations, list_citations, value_citations

Reader = Callable[[str], Iterator[Citation]]


def _written(read: Reader, text: str) -> list[str]:
    """Each citation as `path`, `path:first` or `path:first-last`."""
    return [_short(citation) for citation in read(text)]


def _short(citation: Citation) -> str:
    if citation.first is None:
        return citation.path
    lines = str(citation.first) if citation.first == citation.last else f"{citation.first}-{citation.last}"
    return f"{citation.path}:{lines}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see app/X.php:18 there", ["app/X.php:18"]),
        ("see app/X.php:18-25, app/Y.php.", ["app/X.php:18-25", "app/Y.php"]),
        ("(app/X.php:18)", ["app/X.php:18"]),
        ("(see app/X.php:18).", ["app/X.php:18"]),
        ("`app/X.php:18`", ["app/X.php:18"]),
        ("\"app/X.php\" 'app/Y.php' „app/Z.php“", ["app/X.php", "app/Y.php", "app/Z.php"]),
        ("@app/X.php and @README.md:3", ["app/X.php", "README.md:3"]),
        ("**app/X.php** _app/Y.php_. ~~app/Z.php~~", ["app/X.php", "app/Y.php", "app/Z.php"]),
        ("_index.md __init__.py a/_b.py", ["_index.md", "__init__.py", "a/_b.py"]),
        ("[here](app/X.php:3) or [app/Y.php](app/Y.php)", ["app/X.php:3", "app/Y.php", "app/Y.php"]),
        (
            "app/[slug]/page.tsx [slug]/page.tsx (group)/page.tsx",
            ["app/[slug]/page.tsx", "[slug]/page.tsx", "(group)/page.tsx"],
        ),
        ("app/(group)/[id].tsx:4", ["app/(group)/[id].tsx:4"]),
        ("<read_first>app/X.php</read_first>", ["app/X.php"]),
        ("--config=phpunit.xml at=app/X.php:3", ["phpunit.xml", "app/X.php:3"]),
        ("composer.lock:1245", ["composer.lock:1245"]),
        ("Makefile Makefile:12", ["Makefile:12"]),
        (".env .github/workflows/ci.yml .env.example", [".env", ".github/workflows/ci.yml", ".env.example"]),
        ("app/Models", ["app/Models"]),
        ("src/Käse/Größe.php:7", ["src/Käse/Größe.php:7"]),
        ("app/X.php:18:5", ["app/X.php:18"]),
        ("app/X.php:18-", ["app/X.php:18"]),
        ("app/X.php: the action", ["app/X.php"]),
        ("tests/test_share.py::test_twice", ["tests/test_share.py"]),
        ("app/X.php:0", ["app/X.php:0"]),
        ("app/X.php:007", ["app/X.php:7"]),
        ("app/X.php:25-18", ["app/X.php:25-18"]),
        (r"app\X.php:3", [r"app\X.php:3"]),
        ("https://example.org/a.php http://example.org:80/x mailto:a@b.de file:///etc/passwd", []),
        ("cmd:php artisan", []),
        ("cmd:php", []),
        (r"C:\app\X.php C:/app/X.php", []),
        ("app/X.php:abc app/X.php:-5 app/X.php:1e9 app/X.php:٣", []),
        ("11.31.0 1:1 10:30 ... - :: @ / :3", []),
        ("ShareSegmentAction::handle $this->share D-01 AC-3", []),
        ("", []),
    ],
)
def test_running_text(text: str, expected: list[str]) -> None:
    """In prose a citation has a slash, an extension or a line; decoration around it is left out."""
    assert _written(find_citations, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n  - app/X.php:18-25 (HasRoles is mixed in)\n", ["app/X.php:18-25"]),
        ("- composer.lock:1245 (laravel/framework version)", ["composer.lock:1245", "laravel/framework"]),
        ("a.php, b.php", ["a.php", "b.php"]),
        ("a.php,b.php:3", ["a.php", "b.php:3"]),
        ("Makefile, Dockerfile", ["Makefile", "Dockerfile"]),
        ("- Makefile (x, y, z)", ["Makefile"]),
        (
            "- `app/X.php:3` — why\n* \"LICENSE\"\n+ 'b.php'\n1. c.php\n2) d.php",
            ["app/X.php:3", "LICENSE", "b.php", "c.php", "d.php"],
        ),
        ("- @app/X.php", ["app/X.php"]),
        ("- app/X.php - why it matters", ["app/X.php"]),
        ("- app/X.php # why", ["app/X.php"]),
        ("- a.php (x), b.php (y)", ["a.php", "b.php"]),
        ("See the handler in app/X.php", ["app/X.php"]),
        ("a.php\r\nb.php\rc.php", ["a.php", "b.php", "c.php"]),
        ("- https://example.org/x.php\n- cmd:php artisan about\n-\n- \n", []),
        (" app/X.php ", ["app/X.php"]),
    ],
)
def test_lists_of_files(text: str, expected: list[str]) -> None:
    """In a list a single word is a file whatever it looks like; a remark is not."""
    assert _written(list_citations, text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("app/Actions/ShareSegmentAction.php:34", ["app/Actions/ShareSegmentAction.php:34"]),
        ("  app/X.php:34-40 ", ["app/X.php:34-40"]),
        ("docs/Mein Plan.md:3", ["docs/Mein Plan.md:3"]),
        ("Makefile", ["Makefile"]),
        ("a.php:1, b.php:2; c.php", ["a.php:1", "b.php:2", "c.php"]),
        ("cmd:php artisan about, a.php", []),
        ("a.php:1, cmd:grep x b.php", ["a.php:1"]),
        ("app/X.php:", ["app/X.php"]),
        ("https://example.org/x", []),
        ("", []),
        ("  ", []),
        (":34", []),
        ("@", []),
        (",;,", []),
    ],
)
def test_values_of_attributes(text: str, expected: list[str]) -> None:
    """A value is a citation as a whole, spaces included; commands are none."""
    assert _written(value_citations, text) == expected


def test_parts_have_their_places() -> None:
    """Whole, path and lines are told apart, the `@` belongs to the whole."""
    text = "- (@app/X.php:18-25)"
    (citation,) = find_citations(text)
    assert citation.span.of(text) == "@app/X.php:18-25"
    assert citation.path_span.of(text) == "app/X.php"
    assert citation.lines_span
    assert citation.lines_span.of(text) == "18-25"
    assert citation.shift(3).span.of("xxx" + text) == "@app/X.php:18-25"


@pytest.mark.parametrize("digits", ["1" * 10, "9" * 400, "9" * 900])
def test_absurd_lines(digits: str) -> None:
    """A number that no file has so many lines for is one value, whatever its length."""
    (citation,) = value_citations(f"app/X.php:{digits}")
    assert citation.first == ABSURD_LINE
    (citation,) = find_citations(f"app/X.php:3-{digits}")
    assert (citation.first, citation.last) == (3, ABSURD_LINE)


def test_what_is_longer_than_any_path_is_none() -> None:
    """Some thousand characters are no path."""
    assert _written(find_citations, "a/" * 3000 + "x.php") == []
    assert _written(value_citations, "a" * 3000) == []
    assert _written(list_citations, "a" * 3000) == []


PIECES = st.sampled_from(
    [
        "app/X.php",
        ":",
        "18",
        "-",
        "@",
        "`",
        '"',
        "'",
        "(",
        ")",
        "[",
        "]",
        ",",
        ";",
        " ",
        "\n",
        "\r",
        "_",
        "*",
        ".",
        "/",
        "ü",
        "😀",
        "cmd:",
        "//",
    ]
)


@given(st.one_of(st.text(max_size=200), st.lists(PIECES, max_size=40).map("".join)))
def test_places_fit_any_text(text: str) -> None:
    """Whatever the text, every part is where it says, citations are in order and do not overlap."""
    for read in (find_citations, list_citations, value_citations):
        end = 0
        for citation in read(text):
            assert end <= citation.span.start < citation.span.end
            assert citation.path_span.of(text) == citation.path
            assert citation.span.start <= citation.path_span.start < citation.path_span.end <= citation.span.end
            assert (citation.lines_span is None) == (citation.first is None) == (citation.last is None)
            end = citation.span.end


@pytest.mark.parametrize(
    "piece", ["(", ")", "a/", "- ", "a,", "- (a.b), ", "a.a%", "`", ":1", "[](", "_", "\n", "9", "a=", " ("]
)
def test_cost_is_linear(piece: str) -> None:
    """200 KB of the same thing are read in a fraction of what a quadratic reader would take."""
    text = piece * (200_000 // len(piece))
    begun = time.process_time()
    for read in (find_citations, list_citations, value_citations):
        for _ in read(text):
            pass
    assert time.process_time() - begun < 10
