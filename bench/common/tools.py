"""Where the commands of this repository are."""

import functools
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def find(name, package, variable):
    """The path of a command of this repository: what `variable` says, or else what cargo builds now."""
    if os.environ.get(variable):
        return Path(os.environ[variable]).resolve()
    command = ["cargo", "build", "--quiet", "--release", "--locked", "--package", package]
    if subprocess.run(command, cwd=REPOSITORY, check=False).returncode != 0:
        sys.exit(f"{name} does not build (or set {variable} to one that is built)")
    target = Path(os.environ.get("CARGO_TARGET_DIR") or REPOSITORY / "target")
    return (target / "release" / name).resolve()


def chosen(wanted, known):
    """The names in `wanted`, all that there are if it is empty; a name that there is not ends the benchmark."""
    known = list(known)
    for name in wanted or ():
        if name not in known:
            sys.exit(f"there is no `{name}` here: {', '.join(known)}")
    return list(wanted or known)


@functools.cache
def provoke():
    """The command itself."""
    return find("provoke", "provoke-cli", "PROVOKE")


@functools.cache
def compare():
    """The command that compares a program with its view."""
    return find("provoke-compare", "provoke-testing", "PROVOKE_COMPARE")


@functools.cache
def measure():
    """The command that times a program and its view."""
    return find("provoke-measure", "provoke-testing", "PROVOKE_MEASURE")
