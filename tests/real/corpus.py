"""Inputs for the real programs: what the packages bring along, and seeded mutations of it."""

import gzip
import random
import subprocess

# Larger ones take long under self-check and show nothing that smaller ones do not.
LARGEST = 6_000


def mutated(rng, data):
    """A few bytes changed, removed, inserted or repeated."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 6)):
        at = rng.randrange(len(data) + 1)
        match rng.randrange(5):
            case 0 if data:
                data[at % len(data)] ^= 1 << rng.randrange(8)
            case 1 if data:
                data[at % len(data)] = rng.choice(b"\0\xff\x7f\x80 \n09az<>\"{}[]();")
            case 2:
                del data[at : at + rng.randrange(1, 9)]
            case 3:
                data[at:at] = rng.randbytes(rng.randrange(1, 5))
            case _:
                data[at:at] = data[at : at + rng.randrange(1, 20)]
    return bytes(data)


def files(tree, patterns):
    """Contents of the files that match, small ones, each once."""
    found = []
    for pattern in patterns:
        for path in sorted(tree.glob(pattern)):
            if path.is_file():
                data = path.read_bytes()
                if data not in found and len(data) <= LARGEST:
                    found.append(data)
    return found


def for_gzip_d(tree):
    """Compressed files: of the package's own small files, at several levels."""
    plain = files(tree, ("*.1", "sample/*", "tests/*", "README", "*.in"))
    return [gzip.compress(data, level, mtime=0) for data in plain for level in (1, 9)]


def for_gzip_c(tree):
    """Files to compress."""
    return [data[:2000] for data in files(tree, ("*.1", "sample/*", "tests/*", "README"))]


def for_bc(tree):
    """The package's test scripts, whole and by halves."""
    scripts = files(tree, ("Test/*.b", "Test/BUG.bc", "Examples/*.b"))
    return scripts + [part for data in scripts for part in (data[: len(data) // 2], data[len(data) // 2 :])]


def for_xmlwf(tree):
    """Documents of the package, and the small ones its tests are about."""
    return files(tree, ("testdata/**/*.xml", "expat/doc/*.xml", "expat/**/*.html", "expat/win32/*.xml")) + [
        b"<a/>",
        b"<?xml version='1.0' encoding='utf-16'?><a/>",
        "<?xml version='1.0'?><a b='\u20ac'>\u00e9</a>".encode("utf-16"),
        b"<!DOCTYPE a [<!ENTITY e '<b>x</b>'><!ELEMENT a (b*)><!ATTLIST a c CDATA 'd'>]><a>&e;&e;<![CDATA[]]]]></a>",
        b"<!DOCTYPE a SYSTEM 'none'><a xmlns:p='u'><p:b p:c='1'/><?pi data?><!-- c --></a>",
        b"<a>&#65;&#x41;&lt;&unknown;</a>",
    ]


def for_json(tree):
    """The package's own suites, valid and invalid."""
    return files(tree, ("test/suites/*/*/input",))


def make(kind, tree, count, seed):
    """`count` inputs, as many originals as there are, then mutations."""
    originals = kind(tree)
    rng = random.Random(f"{kind.__name__} {seed}")
    made = originals[:count]
    while len(made) < count:
        made.append(mutated(rng, rng.choice(originals)))
    return made


def ends_quickly(command, stdin, environment, seconds=2):
    """Whether a native run is short enough to be traced under self-check."""
    try:
        with open(stdin or "/dev/null", "rb") as source:
            subprocess.run(
                command,
                stdin=source,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=environment,
                timeout=seconds,
                check=False,
            )
        return True
    except subprocess.TimeoutExpired:
        return False
