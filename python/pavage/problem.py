"""What puzzles and exact covers have in common."""

import contextlib
import copy
import json
import os
import tempfile
import textwrap
from collections.abc import Generator, Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from .program import number, run

Solution = TypeVar("Solution")
Weights = Mapping[Any, int | Fraction | str]


def _plain(value: object) -> str:
    """A value of a puzzle file that JSON does not have."""
    if value is any:
        return "any"
    raise TypeError(f"{value!r} is not a value of a puzzle file; copies are an int, any or a str")


class Problem(Generic[Solution]):
    """A puzzle or an exact cover, as arguments and standard input of the program."""

    _kind: str  # of the choices that make a solution: placements or options
    _source: tuple[str, ...]
    _text: str = ""
    _conditions: tuple[str, ...] = ()

    @classmethod
    def _of(cls, *source: str, text: str = "") -> Self:
        new = object.__new__(cls)
        new._source, new._text = source, text
        return new

    @classmethod
    def example(cls, name: str) -> Self:
        """A puzzle that is inside the program; ``pavage examples`` lists them.

        >>> from pavage import Cover, Puzzle
        >>> Puzzle.example("soma").count(), Cover.example("queens-8").count()
        (11520, 92)
        """
        return cls._of("name:" + name)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Self:
        """The puzzle of a file: YAML, JSON, compiled, or of another program.

        >>> from pavage import Cover
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = Path(folder, "two.dlx")
        ...     _ = path.write_text("a b\\na\\nb\\na b\\n")
        ...     [*Cover.read(path).solutions()]
        [[('a',), ('b',)], [('a', 'b')]]
        """
        return cls._of(os.path.abspath(path))

    @classmethod
    def parse(cls, file: str | Mapping[str, Any]) -> Self:
        """The puzzle of the text of a file, or of the keys of a puzzle file as a mapping.

        >>> from pavage import Puzzle
        >>> Puzzle.parse("{board: 2x3, pieces: [{name: domino, copies: any}]}").count()
        3
        >>> dominoes = [{"name": "domino", "copies": any}]
        >>> Puzzle.parse({"board": {"diamond": 3}, "pieces": dominoes}).count()
        64
        """
        text = file if isinstance(file, str) else json.dumps(file, default=_plain)
        return cls._of("-", text=text)

    def __repr__(self) -> str:
        text = textwrap.shorten(self._text, 60, placeholder=" …")
        source = (text if word == "-" else word for word in self._source)
        return f"<{type(self).__name__} {' '.join([*source, *self._conditions])}>"

    def _run(self, verb: str, *flags: str) -> Generator[bytes, None, None]:
        conditions = self._conditions if verb != "show" else ()
        return run([verb, *self._source, *conditions, *flags], self._text)

    def _answer(self, verb: str, *flags: str) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(b"".join(self._run(verb, "--json", *flags)))
        return answer

    def count(self, up_to: int | None = None) -> int:
        """The number of solutions. The count ends at ``up_to``, 1 to 100,000: with ``up_to=2``, a
        result of 2 means 2 or more.

        >>> from pavage import Puzzle
        >>> Puzzle.example("pentominoes-6x10").count(up_to=2)
        2
        """
        flags = [] if up_to is None else ["--up-to", str(up_to)]
        return int(number(self._answer("count", *flags)["count"]))

    def distinct(self, symmetries: str = "usual") -> int:
        """The number of solutions up to symmetries: usual, rotations or all.

        Usual are all symmetries of a flat board, and the rotations of a solid board. The
        symmetries of a cover are all permutations of its items that map sets to sets. More than
        1024 symmetries are a ``LimitError``; there is no limit of the number of solutions.

        >>> from pavage import Puzzle
        >>> soma = Puzzle.example("soma")
        >>> soma.distinct(), soma.distinct("all")
        (480, 240)
        """
        answer = self._answer("count", f"--distinct={symmetries}")
        return int(number(answer["distinct"]["count"]))

    def solutions(self, distinct: bool = False) -> Generator[Solution, None, None]:
        """All solutions, or one of each class up to symmetry.

        An iterator: the program waits while no solution is read. It starts, and errors are
        raised, when the first one is read.

        >>> from pavage import Puzzle
        >>> for tiling in Puzzle("2x3", {"domino": any}).solutions():
        ...     print(tiling.numbers)
        (0, 2, 6)
        (1, 3, 4)
        (4, 5, 6)
        """
        return self._each("list", *["--distinct"] * distinct)

    def sample(
        self, number: int = 1, *, seed: int | None = None, method: str = "auto",
        unique: bool = False, weights: Weights | None = None,
    ) -> Generator[Solution, None, None]:
        """Random solutions, all equally likely, or in proportion to the product of their weights.

        The same seed and method draw the same solutions, on every machine. Unique solutions
        are drawn without replacement. The result is an iterator, as in ``solutions``.

        >>> from pavage import Puzzle
        >>> dominoes = Puzzle("2x8", {"domino": any})
        >>> for tiling in dominoes.sample(2, seed=7, weights={"domino:1": 3}):
        ...     print(tiling)
        ┌───────┬───┬───┬───────┬───────┐
        │   d   │   │   │   d   │   d   │
        ├───────┤ d │ d ├───────┼───────┤
        │   d   │   │   │   d   │   d   │
        └───────┴───┴───┴───────┴───────┘
        ┌───────┬───────┬───────┬───────┐
        │   d   │   d   │   d   │   d   │
        ├───────┼───────┼───────┼───────┤
        │   d   │   d   │   d   │   d   │
        └───────┴───────┴───────┴───────┘
        """
        seeds = [] if seed is None else ["--seed", str(seed)]
        return self._each(
            "sample", "--number", str(number), "--method", method, *seeds,
            *["--unique"] * unique, *self._weights(weights),
        )

    def compile(self, path: str | os.PathLike[str]) -> Self:
        """Writes all solutions to a file, and returns the problem of the file: its calls are fast.

        >>> from pavage import Puzzle
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     Puzzle("8x8", {"domino": any}).compile(folder + "/x.pavage").count()
        12988816
        """
        self._answer("compile", "--output", os.path.abspath(path))
        compiled = copy.copy(self)
        compiled._source, compiled._text = (os.path.abspath(path),), ""
        compiled._conditions = ()
        return compiled

    def _each(self, verb: str, *flags: str) -> Generator[Solution, None, None]:
        with contextlib.closing(self._run(verb, "--compact", *flags)) as lines:
            for head in lines:
                members = self._members(self._choices(head))
                for line in lines:
                    yield self._solution(members, json.loads(line))

    def _choices(self, head: bytes) -> list[Any]:
        """The first line before solutions: what their numbers stand for."""
        choices: dict[str, list[Any]] = json.loads(head)
        if self._kind not in choices:
            kinds = "a puzzle, use Puzzle", "an exact cover, use Cover"
            raise TypeError(f"{self!r} is {kinds['options' in choices]}")
        return choices[self._kind]

    def _members(self, choices: list[Any]) -> Sequence[Any]:
        raise NotImplementedError

    def _solution(self, members: Sequence[Any], numbers: list[int]) -> Solution:
        raise NotImplementedError

    def _selector(self, key: Any) -> str:
        """The program's name of the placements or the set that have a weight."""
        raise NotImplementedError

    def _weights(self, weights: Weights | None) -> Iterable[str]:
        for key, weight in (weights or {}).items():
            if isinstance(weight, float):
                raise TypeError(f"the weight {weight} is a float, expected an int, Fraction or str")
            try:
                selector = self._selector(key)
            except KeyError:
                raise ValueError(f"weight for {key!r}, expected the key of a set") from None
            yield f"--weight={selector}={weight}"

    def _picture(self, verb: str, *flags: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, "picture.svg")
            for _ in self._run(verb, *flags, "--svg", str(file)):
                pass
            return file.read_text(encoding="utf-8")
