# shellcheck shell=sh
# Sourced by ./run and ./test, from the repository's root: makes and fills .venv, and does nothing where that was done.

python=.venv/bin/python

# Fill .venv with the package, editable, and the extra "$1" ("" for none).
environment() {
    unset PYTHONPATH PYTHONHOME PIP_USER PIP_TARGET PIP_PREFIX
    export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_INPUT=1
    # A copied or moved folder brings an environment whose commands still point to the original.
    if [ "$(cat .venv/.made-for 2>/dev/null)" != "$PWD" ] || ! "$python" -m pip --version >/dev/null 2>&1; then
        make_environment
    fi
    state="$("$python" --version) $(cat pyproject.toml nubos_lsp/__init__.py scripts/environment.sh | cksum)"
    [ "$(cat ".venv/.filled-$1" 2>/dev/null)" = "$state" ] && return
    echo "Installing nubos-lsp into .venv; the first time takes a minute." >&2
    "$python" -m pip install --quiet --editable ".${1:+[$1]}" ||
        stop "The packages could not be installed (see above). Is the package index reachable? Then run this again."
    if [ -n "$1" ]; then
        # What the built wheel needs, kept so that testing it needs no network later.
        "$python" -m pip wheel --quiet --no-build-isolation --wheel-dir .venv/wheels . ||
            stop "The packages that the wheel needs could not be fetched (see above). Run this again."
    fi
    echo "$state" | tee .venv/.filled- >".venv/.filled-$1"
}

make_environment() {
    interpreter=$(find_python) ||
        stop "No Python 3.10 or newer was found. Install one, or name one: PYTHON=/path/to/python3"
    if ! "$interpreter" -c 'import ensurepip, venv' 2>/dev/null; then
        add_venv_module
    fi
    "$interpreter" -m venv --clear .venv || stop "The environment .venv could not be made (see above)."
    echo "$PWD" >.venv/.made-for
}

find_python() {
    for candidate in ${PYTHON:+"$PYTHON"} python3 python3.14 python3.13 python3.12 python3.11 python3.10; do
        if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; then
            echo "$candidate"
            return
        fi
    done
    return 1
}

# Debian and Ubuntu split venv off Python; root may add it, everyone else is told how.
add_venv_module() {
    package=$("$interpreter" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')
    if [ "$(id -u)" -eq 0 ] && command -v apt-get >/dev/null; then
        echo "Python's venv module is missing; installing Debian's $package." >&2
        { apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq "$package"; } </dev/null >/dev/null && return
    fi
    stop "Python's venv module is missing. On Debian and Ubuntu: sudo apt install $package. Then run this again."
}

stop() {
    echo "$1" >&2
    exit 1
}
