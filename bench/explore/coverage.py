"""Line coverage of a set of inputs, measured with clang's source coverage, the same for everybody."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

COMPILER = "clang-19"
PROFDATA = "llvm-profdata-19"
COV = "llvm-cov-19"
FLAGS = "-O1 -g -fprofile-instr-generate -fcoverage-mapping"

# Seconds that one input may take.
PATIENCE = 5


def run_all(program, binary, inputs, folder):
    """Runs every input; returns the merged profile, or nothing if no run left one."""
    folder = Path(folder)
    copy = folder / "input"
    environment = {
        **os.environ,
        **dict(program.environment),
        # Runs add to the same file.
        "LLVM_PROFILE_FILE": str(folder / "runs-%m.profraw"),
    }
    command = [str(binary), *(argument.replace("@@", str(copy)) for argument in program.arguments)]
    for path in inputs:
        copy.write_bytes(Path(path).read_bytes())
        with copy.open("rb") if program.stdin else open(os.devnull, "rb") as stdin:
            try:
                subprocess.run(
                    command,
                    stdin=stdin,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=environment,
                    cwd=folder,
                    timeout=PATIENCE,
                    check=False,
                )
            except subprocess.TimeoutExpired:
                pass
    raw = sorted(folder.glob("runs-*.profraw"))
    if not raw:
        return None
    merged = folder / "merged.profdata"
    subprocess.run([PROFDATA, "merge", "-sparse", "-o", merged, *raw], check=True)
    return merged


def lines(program, binary, inputs):
    """How many lines the inputs cover together, and how many there are."""
    with tempfile.TemporaryDirectory(prefix="provoke-coverage-") as folder:
        profile = run_all(program, binary, inputs, folder)
        if profile is None:
            return 0, 0
        shown = subprocess.run(
            [COV, "export", "-summary-only", f"-instr-profile={profile}", str(binary)],
            capture_output=True,
            check=True,
        )
        totals = json.loads(shown.stdout)["data"][0]["totals"]["lines"]
        return totals["covered"], totals["count"]
