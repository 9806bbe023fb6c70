"""Debian source packages, fetched once into a cache outside the repository.

The machine's own apt sources say where to fetch from; they are read, turned into deb-src entries and used through
a private apt configuration, so nothing of the machine's is changed.
"""

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path


class FetchError(Exception):
    """A source package could not be had; the message says what to do."""


def cache_root():
    """The folder for everything that is fetched or built here."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "provoke-real"


def source_entries(name, text):
    """The deb-src twin of an apt source file."""
    if name.endswith(".sources"):
        return re.sub(r"(?m)^Types:.*$", "Types: deb-src", text)
    lines = []
    for line in text.splitlines():
        match = re.match(r"\s*deb(-src)?\s+(.*)", line)
        if match:
            lines.append("deb-src " + match.group(2))
    return "\n".join(dict.fromkeys(lines)) + "\n"


def apt_options(apt):
    """Options that keep apt inside the folder `apt`."""
    settings = {
        "Dir::Etc::sourcelist": apt / "sources.list",
        "Dir::Etc::sourceparts": apt / "sources.list.d",
        "Dir::State::lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        # The sandbox user cannot write into a folder under somebody's home.
        "APT::Sandbox::User": "root",
    }
    return [part for key, value in settings.items() for part in ("-o", f"{key}={value}")]


def prepare_apt(apt, machine=Path("/etc/apt")):
    """Writes the private configuration and fetches the package lists."""
    parts = apt / "sources.list.d"
    for folder in (parts, apt / "lists" / "partial", apt / "cache" / "archives" / "partial"):
        folder.mkdir(parents=True, exist_ok=True)
    (apt / "sources.list").write_text("")
    found = [machine / "sources.list", *sorted((machine / "sources.list.d").glob("*"))]
    found = [path for path in found if path.suffix in (".list", ".sources") and path.is_file()]
    if not found:
        raise FetchError(f"no apt sources under {machine}: add Debian's own and try again")
    for path in found:
        (parts / path.name).write_text(source_entries(path.name, path.read_text()))
    # One unreachable third-party entry must not stop us: what matters is whether the packages are found later.
    subprocess.run(
        ["apt-get", *apt_options(apt), "-qq", "update"], stdout=subprocess.DEVNULL, check=False
    )


def versions(package, apt):
    """Versions of `package` that the lists name, the newest first.

    More than one matters: a mirror's list may name a version that the mirror no longer has.
    """
    shown = subprocess.run(
        ["apt-cache", *apt_options(apt), "showsrc", "--only-source", package],
        capture_output=True,
        text=True,
        check=False,
    )
    found = list(dict.fromkeys(re.findall(r"(?m)^Version: (.*)$", shown.stdout)))
    if not found:
        raise FetchError(f"apt knows no source package {package}:\n{shown.stderr}")
    return sorted(found, key=functools.cmp_to_key(compare_versions), reverse=True)


def compare_versions(left, right):
    """Debian's order of versions, as a comparison function."""
    for relation, answer in (("lt", -1), ("gt", 1)):
        if subprocess.run(["dpkg", "--compare-versions", left, relation, right], check=False).returncode == 0:
            return answer
    return 0


def fetch(package, root=None):
    """The unpacked source of `package`, pristine; callers copy it before they build."""
    root = root or cache_root()
    folder = root / "sources" / package
    unpacked = folder / "unpacked"
    if unpacked.is_dir():
        return unpacked
    for tool in ("apt-get", "dpkg-source"):
        if shutil.which(tool) is None:
            raise FetchError(f"{tool} is missing: run scripts/setup")
    apt = root / "apt"
    if not any((apt / "lists").glob("*Sources*")):
        prepare_apt(apt)
    failures = []
    for version in versions(package, apt):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        done = subprocess.run(
            ["apt-get", *apt_options(apt), "-qq", "source", f"{package}={version}"],
            cwd=folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
        trees = [path for path in folder.iterdir() if path.is_dir()]
        if done.returncode == 0 and len(trees) == 1:
            trees[0].rename(unpacked)
            return unpacked
        failures.append(done.stderr)
    raise FetchError(f"apt-get source {package} failed:\n" + "".join(failures))


if __name__ == "__main__":
    try:
        for wanted in sys.argv[1:]:
            print(fetch(wanted))
    except FetchError as error:
        sys.exit(f"sources: {error}")
