"""The generated files are those that the code gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from nubos_lsp.rules.catalogue import all_rules
from tools.generate.__main__ import ROOT, main
from tools.generate.rule_pages import STAMP, rule_pages


def test_the_committed_files_are_up_to_date(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"]) == 0, capsys.readouterr().out


def test_each_rule_has_a_stamped_page_that_the_index_links() -> None:
    pages = rule_pages()
    index = pages["docs/rules/README.md"]
    for rule in all_rules():
        assert pages[f"docs/rules/{rule.name}.md"].startswith(STAMP)
        assert f"[{rule.name}]({rule.name}.md)" in index


def test_a_check_names_what_is_out_of_date_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([], tmp_path) == 0
    assert main(["--check"], tmp_path) == 0
    capsys.readouterr()
    changed, absent, gone = (tmp_path / f"docs/rules/{name}.md" for name in ("README", "incomplete-deviation", "gone"))
    changed.write_text("by hand", encoding="utf-8")
    absent.unlink()
    gone.write_text(f"{STAMP}\n", encoding="utf-8")
    assert main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out.splitlines() == [
        "out of date: docs/rules/incomplete-deviation.md",
        "out of date: docs/rules/README.md",
        "out of date: docs/rules/gone.md",
    ]
    assert changed.read_text(encoding="utf-8") == "by hand"


def test_what_is_out_of_date_is_written_and_what_is_gone_removed(tmp_path: Path) -> None:
    main([], tmp_path)
    own, gone = (tmp_path / f"docs/rules/{name}.md" for name in ("own", "gone"))
    own.write_text("somebody's own page", encoding="utf-8")
    gone.write_text(f"{STAMP}\n", encoding="utf-8")
    main([], tmp_path)
    assert own.exists()
    assert not gone.exists()


def test_files_checked_out_with_crlf_are_up_to_date(tmp_path: Path) -> None:
    main([], tmp_path)
    page = tmp_path / "docs/rules/README.md"
    page.write_bytes(page.read_bytes().replace(b"\n", b"\r\n"))
    assert main(["--check"], tmp_path) == 0


def test_the_files_are_those_of_this_repository() -> None:
    assert (ROOT / "nubos_lsp/cli/page.py").is_file()
