"""How the real programs are configured and built, unmodified, with a compiler of the caller's choice."""

import contextlib
import fcntl
import functools
import hashlib
import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import sources
import tools


class BuildError(Exception):
    """A program did not build; the message names the log."""


@dataclass(frozen=True)
class Recipe:
    """One Debian source package."""

    package: str
    # Programs that come out, by name, relative to the top of the source.
    programs: dict
    # Shell commands, run in `folder` with CC, CXX, CFLAGS and CXXFLAGS set.
    steps: tuple
    # Where in the source the steps are run.
    folder: str = "."
    # Added to the flags that the caller asks for.
    flags: str = ""
    # Tools that must be installed, beyond a compiler and make.
    tools: tuple = field(default=())


CONFIGURE = "./configure --quiet"
NETPBM = 'CC="$CC" LD="$CC" CFLAGS="$CFLAGS" NETPBMLIBTYPE=unixstatic NETPBMLIBSUFFIX=a'

RECIPES = {
    recipe.package: recipe
    for recipe in (
        Recipe(
            "giflib",
            {"giftext": "giftext"},
            ('make libgif.a giftext CC="$CC" CFLAGS="-std=gnu99 -fPIC $CFLAGS"',),
        ),
        Recipe("gzip", {"gzip": "gzip"}, (CONFIGURE, "make")),
        Recipe(
            "bc",
            {"bc": "bc/bc", "dc": "dc/dc"},
            # Debian's patches are newer than the generated files, so make would call the missing automake 1.15.
            ("autoreconf -fi", CONFIGURE, "make"),
            # dc calls a function that it does not declare, which clang 19 takes as an error.
            flags="-Wno-implicit-function-declaration",
            tools=("autoreconf", "bison", "flex", "ed", "makeinfo"),
        ),
        Recipe(
            "expat",
            {
                "xmlwf": "expat/xmlwf/xmlwf",
                "runtests": "expat/tests/runtests",
                "runtestspp": "expat/tests/runtestspp",
            },
            (
                "./buildconf.sh",
                CONFIGURE + " --disable-shared --without-docbook",
                "make",
                "make -C tests runtests runtestspp",
            ),
            folder="expat",
            tools=("autoreconf", "libtoolize"),
        ),
        Recipe(
            "less",
            {"less": "less"},
            (CONFIGURE, "make"),
        ),
        Recipe(
            "gawk",
            {"gawk": "gawk"},
            (CONFIGURE + " --disable-extensions --without-readline --without-mpfr", "make -C support", "make gawk"),
        ),
        # A network server: SSH.
        Recipe(
            "dropbear",
            {"dropbear": "dropbear"},
            (CONFIGURE + " --disable-zlib", "make PROGRAMS=dropbear"),
        ),
        Recipe(
            "jansson",
            {"json_process": "test/bin/json_process"},
            ("autoreconf -fi", CONFIGURE + " --disable-shared", "make", "make check TESTS="),
            tools=("autoreconf", "libtoolize"),
        ),
        Recipe(
            "unzip",
            {"unzip": "unzip"},
            # As Debian builds it, without bzip2.
            (
                'make -f unix/Makefile unzip CC="$CC" LF2="" CF="$CFLAGS -I. -DACORN_FTYPE_NFS -DWILD_STOP_AT_DIR '
                "-DLARGE_FILE_SUPPORT -DUNICODE_SUPPORT -DUNICODE_WCHAR -DUTF8_MAYBE_NATIVE -DNO_LCHMOD "
                '-DDATE_FORMAT=DF_YMD -DIZ_HAVE_UXUIDGID -DNOMEMCPY -DNO_WORKING_ISPRINT"',
            ),
        ),
        Recipe(
            "libtasn1-6",
            {"asn1Decoding": "src/asn1Decoding"},
            (CONFIGURE + " --disable-shared --disable-doc", "make"),
        ),
        Recipe("bzip2", {"bzip2": "bzip2"}, ('make bzip2 CC="$CC" CFLAGS="-D_FILE_OFFSET_BITS=64 $CFLAGS"',)),
        Recipe("mawk", {"mawk": "mawk"}, (CONFIGURE, "make mawk")),
        Recipe("unrtf", {"unrtf": "src/unrtf"}, ("autoreconf -fi", CONFIGURE, "make -C src unrtf"), tools=("autoreconf",)),
        Recipe(
            "lhasa",
            {"lha": "src/lha"},
            ("autoreconf -fi", CONFIGURE + " --disable-shared", "make"),
            tools=("autoreconf", "libtoolize"),
        ),
        Recipe("cjson", {"parse_json": "parse_json"}, ("$CC $CFLAGS -o parse_json parse_json.c cJSON.c -lm",)),
        Recipe(
            "fig2dev",
            {"fig2dev": "fig2dev/fig2dev"},
            (CONFIGURE, "make -C fig2dev"),
            flags="-Wno-implicit-function-declaration -Wno-incompatible-pointer-types",
        ),
        Recipe("jhead", {"jhead": "jhead"}, ('make CC="$CC" CFLAGS="$CFLAGS"',)),
        Recipe("pdfresurrect", {"pdfresurrect": "pdfresurrect"}, (CONFIGURE, "make")),
        # One of its 300 programs. Its makefiles would make the same headers twice at once.
        Recipe(
            "netpbm-free",
            {"winicontopam": "converter/other/winicontopam"},
            (
                "cp config.mk.in config.mk",
                f"make -j1 -C lib libnetpbm.a {NETPBM}",
                f"make -j1 -C converter/other winicontopam {NETPBM}",
            ),
        ),
        Recipe(
            "arc",
            {"arc": "arc"},
            ('make arc CC="$CC" OPT="$CFLAGS"',),
            flags="-Wno-implicit-function-declaration -Wno-implicit-int",
        ),
        # Only the tools that are named, and what make would make first for all of them.
        Recipe(
            "coreutils",
            {"sha1sum": "src/sha1sum"},
            (
                "FORCE_UNSAFE_CONFIGURE=1 " + CONFIGURE + " --disable-nls --without-openssl --without-libgmp --disable-acl --disable-xattr",
                r"printf 'built: $(BUILT_SOURCES)\n' | make -f Makefile -f - built",
                "make src/sha1sum",
            ),
        ),
        Recipe("cpio", {"cpio": "src/cpio"}, (CONFIGURE + " --disable-nls", "make")),
        # Debian's makefile links the shared library, whose code would not be followed.
        Recipe("lz4", {"lz4": "programs/lz4"}, ("$CC $CFLAGS -DXXH_NAMESPACE=LZ4_ -Ilib -o programs/lz4 programs/*.c lib/*.c",)),
        # Without its readers of compressed sound, which are libraries of others.
        Recipe(
            "libsndfile",
            {"sndfile-convert": "programs/sndfile-convert"},
            (
                "autoreconf -fi",
                CONFIGURE + " --disable-shared --disable-external-libs --disable-alsa --disable-sqlite --disable-mpeg --disable-octave",
                "make src/libsndfile.la programs/sndfile-convert",
            ),
            tools=("autoreconf", "libtoolize"),
        ),
        Recipe(
            "flac",
            {"flac": "src/flac/flac"},
            (
                CONFIGURE + " --disable-shared --disable-ogg --disable-cpplibs --disable-asm-optimizations",
                "make -C src/share",
                "make -C src/libFLAC",
                "make -C src/flac",
            ),
        ),
        Recipe("dos2unix", {"dos2unix": "dos2unix"}, ('make dos2unix ENABLE_NLS= CC="$CC" CFLAGS_OS="$CFLAGS"',)),
    )
}


def build(package, target, cc, cxx, flags="-O2 -g", jobs=None, change=None):
    """Builds `package` in the folder `target`, after `change` was made to its source; returns the paths of its programs by name.

    A finished build is kept until our compiler, or how it is called, becomes another one.
    """
    recipe = RECIPES[package]
    target = Path(target)
    done = target / ".built"
    wanted = f"{Path(cc.split()[0]).name} {flags} {compiler_sources()}"
    wanted += f" {change.__name__} {digest(Path(change.__code__.co_filename).parent)}\n" if change else "\n"
    with alone(target):
        if not done.exists() or done.read_text() != wanted:
            missing = [tool for tool in recipe.tools if shutil.which(tool) is None]
            if missing:
                raise BuildError(f"{package} needs {', '.join(missing)}: run scripts/setup")
            shutil.rmtree(target, ignore_errors=True)
            # Times are kept, or make would think the generated files old and want to make them again.
            shutil.copytree(sources.fetch(package), target, symlinks=True)
            if change is not None:
                change(target)
            run_steps(recipe, target, cc, cxx, flags, jobs or os.cpu_count() or 1)
            done.write_text(wanted)
    return {name: target / path for name, path in recipe.programs.items()}


@contextlib.contextmanager
def alone(target):
    """While another benchmark builds in the same folder, this one waits."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.with_name(target.name + ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@functools.cache
def compiler_sources():
    """What our compiler is made of, as a hash: programs that an older one built lack what a newer one adds to them."""
    return digest(tools.REPOSITORY / "crates" / "cc")


def digest(folder):
    """A hash of what is in a folder."""
    summed = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            summed.update(path.read_bytes())
    return summed.hexdigest()[:16]


def environment(cc, cxx, flags, jobs=1):
    """The environment in which packages are configured and built."""
    return {
        **os.environ,
        "CC": cc,
        "CXX": cxx,
        "CFLAGS": flags,
        "CXXFLAGS": flags,
        "MAKEFLAGS": f"-j{jobs}",
        "LC_ALL": "C",
    }


def run_steps(recipe, target, cc, cxx, flags, jobs):
    """Runs the steps of a recipe, their output in a log beside the target."""
    log_path = target.with_suffix(".log")
    with log_path.open("w") as log:
        for step in recipe.steps:
            log.write(f"$ {step}\n")
            log.flush()
            done = subprocess.run(
                ["sh", "-c", step],
                cwd=target / recipe.folder,
                env=environment(cc, cxx, f"{flags} {recipe.flags}".strip(), jobs),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                check=False,
            )
            if done.returncode != 0:
                raise BuildError(f"{recipe.package}: {shlex.quote(step)} failed; see {log_path}")
