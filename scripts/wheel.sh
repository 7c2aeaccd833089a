#!/bin/sh
# Called by ./test, from the repository's root: builds sdist and wheel, and tries the wheel in an environment of its own.
set -eu
python=.venv/bin/python
clean=.venv/clean
log=.venv/wheel.log
rm -rf dist "$clean"

# The wheel is built from the sdist, which shows that the sdist is complete.
"$python" -m build --no-isolation --outdir dist . >"$log" 2>&1 || { cat "$log"; exit 1; }
"$python" -m venv "$clean"
"$clean/bin/python" -m pip install --quiet --no-index --find-links .venv/wheels dist/*.whl

"$clean/bin/python" -I - <<'END'
from importlib.resources import files

for name in ("py.typed", "pages/unverified-mirror-claim.md"):
    assert (files("nubos_lsp") / name).is_file(), f"the wheel has no {name}"
END
"$clean/bin/nubos-lsp" --version
status=0
(cd examples/share-dashboards && "../../$clean/bin/nubos-lsp" lint --milestone M001) >"$log" 2>&1 || status=$?
if [ "$status" -ne 2 ]; then
    cat "$log"
    echo "lint of the example with the built wheel ended with $status, not 2" >&2
    exit 1
fi
