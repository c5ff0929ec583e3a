"""Runs of the program: its lines, its errors, its progress."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Generator, Sequence
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import IO


class PavageError(Exception):
    """The program failed; ``code`` is its exit code, and the text is its message.

    >>> from pavage import Puzzle
    >>> try:
    ...     next(Puzzle("3x3", {"domino": any}).sample())
    ... except PavageError as error:
    ...     print(error.code, str(error).split(",")[0])
    1 the puzzle has no tiling
    """

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code


class InputError(PavageError, ValueError):
    """A puzzle, or an argument of a call, is wrong (exit code 2).

    >>> from pavage import Puzzle
    >>> Puzzle("8x8", {"dominoo": any}).count()
    Traceback (most recent call last):
    pavage.program.InputError: piece "dominoo=any": unknown piece "dominoo", did you mean domino?
    """


class LimitError(PavageError):
    """A limit was reached: of memory, of time, or of what an engine can hold (exit code 3)."""


ERRORS = {2: InputError, 3: LimitError}


def binary() -> str:
    """The path of the program: in this package, in PAVAGE_BINARY, or in PATH.

    >>> "pavage" in binary()
    True
    """
    for name in ("pavage", "pavage.exe"):
        inside = Path(__file__).parent / "bin" / name
        if inside.exists():
            return str(inside)
    found = os.environ.get("PAVAGE_BINARY") or shutil.which("pavage")
    if not found:
        raise FileNotFoundError("no program pavage in PAVAGE_BINARY or in PATH")
    return found


def run(arguments: Sequence[str], text: str = "") -> Generator[bytes, None, None]:
    """The lines that the program writes when it reads the text as its standard input.

    The program waits if nobody wants its next line, and ends when the iterator is closed.

    >>> [*run(["count", "-"], '{"board": "2x3", "pieces": [{"name": "domino", "copies": "any"}]}')]
    [b'3\\n']
    """
    environment = {k: v for k, v in os.environ.items() if k != "PAVAGE_BINARY"}
    remarks: list[str] = []
    with tempfile.TemporaryFile() as stdin:
        stdin.write(text.encode())
        stdin.seek(0)
        # Bars are always asked for: if Python is killed, the next one ends the program by SIGPIPE.
        child = subprocess.Popen(
            [binary(), *arguments, "--progress", "always"],
            stdin=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment,
        )
    assert child.stdout and child.stderr
    # A thread reads the remarks, because the program would wait for a reader of many.
    reader = threading.Thread(target=_follow, args=(child.stderr, remarks), daemon=True)
    try:
        reader.start()
        yield from child.stdout
        code = child.wait()
    finally:
        child.terminate()
        child.stdout.close()  # so that the program does not wait for a reader
        child.wait()
        if reader.is_alive():
            reader.join()
    if code:
        message = remarks[-1].removeprefix("pavage: ") if remarks else f"exit code {code}"
        raise ERRORS.get(code, PavageError)(message, code)


def _follow(stderr: IO[bytes], remarks: list[str]) -> None:
    """Keeps the remarks, and shows each state of a bar in place of the state before."""
    shown = sys.stderr is not None and (sys.stderr.isatty() or "ipykernel" in sys.modules)
    width = 0
    with stderr:
        for raw in stderr:
            line = re.sub(r"\x1b\[\d*[A-Z]", "", raw.decode(errors="replace")).strip()
            if not re.search(r"\d ?% *\[", line):
                remarks += [line] if line else []
            elif shown:
                print("\r" + line.ljust(width), end="", file=sys.stderr, flush=True)
                width = max(width, len(line))
    if width:
        print("\r" + " " * width + "\r", end="", file=sys.stderr, flush=True)


def number(digits: str) -> Fraction:
    """The number that the program writes as digits, or as digits/digits.

    >>> number("3/6"), number("7")
    (Fraction(1, 2), Fraction(7, 1))
    """
    # By way of Decimal, because int refuses more than 4300 digits.
    return Fraction(*(int(Decimal(part)) for part in digits.split("/")))
