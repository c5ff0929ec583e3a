"""The files of wheels. All other tests are run in a wheel by make test-python."""

import csv
import doctest
import hashlib
import subprocess
import sys
import zipfile
from base64 import urlsafe_b64decode
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import wheel


def test_wheels(tmp_path: Path) -> None:
    names = ["linux/amd64/pavage", "darwin/arm64/pavage", "windows/amd64/pavage.exe"]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(name)
        (tmp_path / name).with_name("LICENSE").write_text("the license")
    made = []
    for wheels in (tmp_path / "one", tmp_path / "two"):
        arguments = [sys.executable, wheel.__file__, "v1.2.0", str(tmp_path), str(wheels)]
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
        made.append({file.name: file.read_bytes() for file in wheels.iterdir()})
    assert made[0] == made[1]
    assert len(made[0]) == len(names)
    for file in (tmp_path / "one").iterdir():
        with zipfile.ZipFile(file) as archive:
            lines = archive.read("pavage-1.2.0.dist-info/RECORD").decode().splitlines()
            record = {row[0]: row[1:] for row in csv.reader(lines)}
            assert [*record] == archive.namelist()
            assert {"pavage/__init__.py", "pavage/py.typed"} <= {*record}
            for inside, (digest, size) in record.items():
                if inside.endswith("/RECORD"):
                    continue
                data = archive.read(inside)
                assert size == str(len(data))
                digest = digest.removeprefix("sha256=") + "="
                assert urlsafe_b64decode(digest) == hashlib.sha256(data).digest()
            metadata = archive.read("pavage-1.2.0.dist-info/METADATA").decode()
            assert "\nLicense-File: LICENSE\n" in metadata
            assert archive.read("pavage-1.2.0.dist-info/licenses/LICENSE") == b"the license"
            program, = (entry for entry in archive.infolist() if "/bin/" in entry.filename)
            assert Path(archive.read(program).decode()).name == Path(program.filename).name
            assert program.external_attr >> 16 & 0o111


def test_unknown_platform(tmp_path: Path) -> None:
    (tmp_path / "linux/riscv64").mkdir(parents=True)
    (tmp_path / "linux/riscv64/pavage").write_text("program")
    arguments = [sys.executable, wheel.__file__, "v1.2.0", str(tmp_path), str(tmp_path / "wheels")]
    made = subprocess.run(arguments, capture_output=True, text=True)
    assert made.returncode == 1
    assert made.stderr.startswith("wheel.py: no tag for linux/riscv64, expected linux/amd64, ")


def test_versions() -> None:
    assert doctest.testmod(wheel).failed == 0
