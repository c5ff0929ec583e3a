#!/usr/bin/env python3
"""Writes a wheel for each program of make programs, such as PROGRAMS/linux/amd64/pavage.

usage: wheel.py VERSION PROGRAMS WHEELS

VERSION is the version of the Go module. A wheel is a zip of the package with the program, the
licenses beside it, metadata and RECORD, a list of digests. The same input makes the same
bytes: files are sorted and have no time.
"""

import hashlib
import re
import sys
import zipfile
from base64 import urlsafe_b64encode
from pathlib import Path

# A program is one static file, so it runs with every C library. Go 1.26 wants macOS 12.
PLATFORMS = {
    "linux/amd64": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
    "linux/arm64": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "darwin/amd64": "macosx_12_0_x86_64",
    "darwin/arm64": "macosx_12_0_arm64",
    "windows/amd64": "win_amd64",
    "windows/arm64": "win_arm64",
}

METADATA = """\
Metadata-Version: 2.4
Name: pavage
Version: {version}
Summary: Counts tilings and other exact covers without listing them, and draws fair samples
License: MIT
Requires-Python: >=3.11
Provides-Extra: numpy
Requires-Dist: numpy; extra == "numpy"
{licenses}"""

WHEEL = "Wheel-Version: 1.0\nGenerator: wheel.py\nRoot-Is-Purelib: false\n"


def python_version(go: str) -> str:
    """A version of a Go module as Python writes versions.

    A version of Go after a tag counts as one before the next tag, as in Go's own names.

    >>> python_version("v1.2.0"), python_version("v1.2.0-rc.1"), python_version("(devel)")
    ('1.2.0', '1.2.0rc1', '0.dev0')
    >>> python_version("v1.2.1-0.20261129091906-84d2ec8f7c0a+dirty")
    '1.2.1.dev20261129091906+84d2ec8f7c0a.dirty'
    >>> python_version("v1.2.0-rc.1.0.20261129091906-84d2ec8f7c0a")
    '1.2.0rc2.dev20261129091906+84d2ec8f7c0a'
    """
    if go == "(devel)":
        return "0.dev0"
    parts = re.fullmatch(
        r"v(\d+\.\d+\.\d+)(?:-(alpha|beta|rc)\.?(\d+))?"
        r"(?:[-.](?:0\.)?(\d{14})-(\w+))?(?:\+(dirty))?", go)
    if not parts:
        sys.exit(f"wheel.py: bad version {go!r}, expected v1.2.0, v1.2.0-rc.1 or a pseudo-version of Go")
    version, stage, number, time, *local = parts.groups()
    if stage:
        version += {"alpha": "a", "beta": "b", "rc": "rc"}[stage] + str(int(number) + bool(time))
    if time:
        version += f".dev{time}"
    suffix = ".".join(filter(None, local))
    return version + (f"+{suffix}" if suffix else "")


def write(version: str, folder: Path, platform: str, wheels: Path) -> Path:
    info = f"pavage-{version}.dist-info"
    tags = "".join(f"Tag: py3-none-{tag}\n" for tag in platform.split("."))
    package = Path(__file__).parent / "pavage"
    files = {f"pavage/{f.name}": f.read_bytes() for f in package.iterdir() if f.is_file()}
    licenses = ""
    for file in sorted(folder.iterdir()):
        if file.stem == "pavage":
            files[f"pavage/bin/{file.name}"] = file.read_bytes()
        else:
            files[f"{info}/licenses/{file.name}"] = file.read_bytes()
            licenses += f"License-File: {file.name}\n"
    files[f"{info}/METADATA"] = METADATA.format(version=version, licenses=licenses).encode()
    files[f"{info}/WHEEL"] = (WHEEL + tags).encode()
    files = dict(sorted(files.items()))
    record = ""
    for name, data in files.items():
        digest = urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")
        record += f"{name},sha256={digest},{len(data)}\n"
    files[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()

    wheel = wheels / f"pavage-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)  # its time is the beginning of 1980
            entry.create_system = 3  # Unix, on every system
            entry.external_attr = (0o100755 if "/bin/" in name else 0o100644) << 16
            archive.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return wheel


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit("usage: wheel.py VERSION PROGRAMS WHEELS")
    version, programs, wheels = python_version(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3])
    found = {f.parent.relative_to(programs).as_posix() for f in programs.glob("*/*/pavage*")}
    if unknown := found - {*PLATFORMS}:
        sys.exit(f"wheel.py: no tag for {', '.join(sorted(unknown))}, expected {', '.join(PLATFORMS)}")
    if not found:
        sys.exit(f"wheel.py: no program in {programs}, expected at least one, such as linux/amd64/pavage")
    wheels.mkdir(parents=True, exist_ok=True)
    for platform in sorted(found):
        print(write(version, programs / platform, PLATFORMS[platform], wheels))


if __name__ == "__main__":
    main()
