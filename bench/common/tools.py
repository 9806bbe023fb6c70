"""Where the commands of this repository are."""

import os
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def find(name, variable):
    """The path of a built command: what `variable` says, or what cargo built, release before debug."""
    if os.environ.get(variable):
        return Path(os.environ[variable]).resolve()
    target = Path(os.environ.get("CARGO_TARGET_DIR") or REPOSITORY / "target")
    for profile in ("release", "debug"):
        path = target / profile / name
        if path.is_file():
            return path.resolve()
    sys.exit(f"{name} is not built: cargo build --release (or set {variable})")


def provoke():
    """The command itself."""
    return find("provoke", "PROVOKE")


def compare():
    """The command that compares a program with its view."""
    return find("provoke-compare", "PROVOKE_COMPARE")


def measure():
    """The command that times a program and its view."""
    return find("provoke-measure", "PROVOKE_MEASURE")
