"""The nine programs of the benchmark: where they come from and how they are run."""

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "common"))

import inputs  # noqa: E402
import recipes  # noqa: E402


@dataclass(frozen=True)
class Program:
    """A program and its command line; `@@` stands for the input file."""

    name: str
    # Source package, or nothing for a kernel of ours.
    package: str | None
    arguments: tuple
    # Whether the input is standard input.
    stdin: bool = False
    environment: tuple = ()
    # Ending of the input's name, for programs that look at it.
    ending: str = ""

    def input(self, folder, kind):
        """The path of the `large` or the `small` input."""
        return Path(folder) / "inputs" / kind / (self.name + self.ending)


PROGRAMS = (
    Program("giftext", "giflib", ("-p", "@@")),
    Program("gzip", "gzip", ("-dc", "@@"), ending=".gz"),
    Program("bc", "bc", ("-q", "@@")),
    Program("xmlwf", "expat", ("@@",)),
    # Without a fixed seed the table of every object would be laid out anew in every run.
    Program("json_process", "jansson", ("--env",), stdin=True, environment=(("HASHSEED", "1"),)),
    Program("asn1Decoding", "libtasn1-6", ("{dir}/pkix.asn", "@@", "PKIX1.Certificate")),
    Program("sort", None, ("@@",)),
    Program("hash", None, ("@@",)),
    Program("matrix", None, ("@@",)),
)


def prepare(folder, cc, cxx, flags):
    """Builds every program with `cc` into `folder`/bin and writes the inputs into `folder`/inputs."""
    folder = Path(folder).resolve()
    binaries = folder / "bin"
    binaries.mkdir(parents=True, exist_ok=True)
    trees = {}
    for program in PROGRAMS:
        if program.package:
            trees[program.package] = folder / "src" / program.package
            built = recipes.build(program.package, trees[program.package], cc, cxx, flags)[program.name]
            shutil.copy2(built, binaries / program.name)
        else:
            source = HERE / "kernels" / f"{program.name}.c"
            command = [*cc.split(), *flags.split(), str(source), "-o", str(binaries / program.name)]
            if subprocess.run(command, check=False).returncode != 0:
                raise recipes.BuildError(f"{source} does not compile")
    shutil.copy2(trees["libtasn1-6"] / "tests" / "pkix.asn", folder / "pkix.asn")
    inputs.write_all(folder / "inputs", trees, {program.name: program.name + program.ending for program in PROGRAMS})
    return folder
