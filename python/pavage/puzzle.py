"""Puzzles of a board and pieces, and their tilings."""

import contextlib
import copy
import json
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from .problem import Problem, Weights
from .program import number

if TYPE_CHECKING:
    import numpy

Cell = tuple[int, ...]
Copies = int | str | Callable[..., Any]
Some = str | Iterable[str]


class Placement(NamedTuple):
    """A piece and its cells: ``(row, column)``, or ``(layer, row, column)`` on a solid board."""

    piece: str
    cells: tuple[Cell, ...]
    marks: str = ""


@dataclass(frozen=True, repr=False, slots=True)
class Tiling:
    """A tiling of a puzzle. In a notebook it is a picture, and as a text a drawing.

    >>> tiling = next(Puzzle("2x3", {"domino": any}).solutions())
    >>> print(tiling)
    ┌───────┬───┐
    │   d   │   │
    ├───────┤ d │
    │   d   │   │
    └───────┴───┘
    >>> tiling.placements[0]
    Placement(piece='domino', cells=((0, 0), (0, 1)), marks='')
    """

    placements: tuple[Placement, ...]
    numbers: tuple[int, ...]  # of its placements, among those of the puzzle
    axes: int  # of a cell: 2, or 3 on a solid board; 0 if the puzzle has no placements
    puzzle: "Puzzle" = field(compare=False)

    @property
    def cells(self) -> dict[Cell, Placement]:
        """The placement on each cell that is covered.

        >>> next(Puzzle("2x3", {"domino": any}).solutions()).cells[1, 2].cells
        ((0, 2), (1, 2))
        """
        return {cell: placement for placement in self.placements for cell in placement.cells}

    def __repr__(self) -> str:
        return f"<Tiling of {len(self.placements)} placements>"

    def __str__(self) -> str:
        lines = self.puzzle._run("list", *self._only())
        return b"".join(islice(lines, 1, None)).decode().strip("\n")

    def _repr_svg_(self) -> str:
        return self.puzzle._picture("list", *self._only())

    def _only(self) -> Iterator[str]:
        """The conditions that only this tiling keeps."""
        yield "--number=1"
        if self.axes:
            yield f"--at-most={len(self.numbers)}:" + ",".join("*" * self.axes)
        for start in range(0, len(self.numbers), 1000):  # a condition has room for some 2000
            some = self.numbers[start : start + 1000]
            yield f"--at-least={len(some)}:" + "+".join(f"#{n}" for n in some)


class Marginals(dict[Cell, dict[str, Fraction]]):
    """The probability that a piece covers a cell. In a notebook it is a heat-map.

    ``total`` is the number of tilings, or the sum of their weights.
    """

    def __init__(self, puzzle: "Puzzle", flags: Sequence[str]):
        answer = puzzle._answer("query", *flags)
        self.total = number(answer.get("weight") or answer["count"])
        self.groups: list[str] = answer["groups"]
        self._draw = puzzle, flags
        super().__init__({
            tuple(entry["cell"]): {
                group: number(entry["by"].get(group, "0")) / (self.total or 1)
                for group in self.groups
            }
            for entry in answer["cells"]
        })

    def __repr__(self) -> str:
        return f"<Marginals {self.total} in all, of {', '.join(self.groups)}>"

    def array(self) -> "numpy.ndarray[Any, numpy.dtype[numpy.float64]]":
        """The marginals as a NumPy array: group, row, column, with 0 outside of the board.

        >>> Puzzle("2x3", {"domino": any}).marginals("orientations").array().round(2)[0]
        array([[0.33, 0.67, 0.33],
               [0.33, 0.67, 0.33]])
        """
        import numpy

        size = [1 + max(axis) for axis in zip(*self, strict=True)]
        array = numpy.zeros([len(self.groups), *size])
        for cell, by in self.items():
            array[(slice(None), *cell)] = [float(by[group]) for group in self.groups]
        return array

    def _repr_svg_(self) -> str:
        puzzle, flags = self._draw
        return puzzle._picture("query", *flags)


class Clues(NamedTuple):
    """A puzzle with exactly one tiling, and the clues and the seed that made it."""

    puzzle: "Puzzle"
    clues: list[dict[str, Any]]
    grade: str
    seed: int


class Puzzle(Problem[Tiling]):
    """A board and pieces, as the program's flags --board and --piece name them.

    Pieces in a mapping have their numbers of copies: a number, ``any``, or a range such as
    ``"0..2"``. Other pieces and sets of pieces are used once. In a notebook a puzzle is a
    picture of its board and pieces. ``Puzzle.parse`` makes puzzles that have no keyword here.

    >>> Puzzle("5x12", "pentominoes").distinct()
    1010
    >>> Puzzle("4x4", {"I3": "0..2", "O4": any, "monomino": 4}).count()
    8
    >>> Puzzle("4x4", {"domino": any}, wrap="both").count()
    272
    >>> Puzzle("hexagon:2", {"lozenge": any}, lattice="triangle").count()
    20
    """

    _kind = "placements"

    def __init__(
        self, board: str, pieces: Mapping[str, Copies] | Some, *, lattice: str | None = None,
        wrap: str | None = None, cover: str | None = None, motions: str | None = None,
    ):
        if isinstance(pieces, Mapping):
            pieces = [f"{name}={'any' if n is any else n}" for name, n in pieces.items()]
        given = {"lattice": lattice, "wrap": wrap, "cover": cover, "motions": motions}
        self._source = (
            f"--board={board}", *_flags("piece", pieces),
            *(f"--{name}={value}" for name, value in given.items() if value is not None),
        )

    def set(self, **values: str | int) -> Self:
        """The puzzle with these values of the parameters of its file.

        >>> Puzzle.example("calendar").set(month="oct", day=6).count()
        7
        """
        chosen = copy.copy(self)
        chosen._source += tuple(f"--set={name}={value}" for name, value in values.items())
        return chosen

    def conditions(
        self, *, with_: Some = (), without: Some = (), exactly: Some = (), at_least: Some = (),
        at_most: Some = (), apart: Some = (), fault_free: bool = False,
        no_four_corners: bool = False,
    ) -> Self:
        """The puzzle with further conditions on its tilings: all of them must hold.

        ``with_``: at least one of these placements is in the tiling; ``without``: none is;
        ``exactly="2:I3+L3"``: two of them are; ``at_least`` and ``at_most`` have the same form;
        ``apart="I5,X5"``: no placement of I5 has a face in common with one of X5;
        ``fault_free``: each straight line through the rectangle cuts a piece;
        ``no_four_corners``: no four pieces meet in a corner. A list has several conditions.

        A placement is named by its piece (``X5``), one of its cells (``0,0``), both
        (``X5@0,0``, or ``0,0=X5``) or an orientation (``domino:1``); ``+`` joins several.

        >>> dominoes = Puzzle("2x3", {"domino": any})
        >>> dominoes.conditions(with_="0,0=domino:2", without=["0,1=domino:2"]).count()
        1
        """
        narrower = copy.copy(self)
        narrower._conditions += (
            *_flags("with", with_), *_flags("without", without), *_flags("exactly", exactly),
            *_flags("at-least", at_least), *_flags("at-most", at_most), *_flags("apart", apart),
            *["--fault-free"] * fault_free, *["--no-four-corners"] * no_four_corners,
        )
        return narrower

    def marginals(
        self, by: str = "pieces", *, of: Some = (), weights: Weights | None = None
    ) -> Marginals:
        """The probability that a piece covers a cell of a random tiling, or of one drawn by weights.

        ``by`` may be orientations in place of pieces, or kinds: orientations on the white
        and on the black cells of a chessboard. ``of`` names placements, as in conditions:
        only they are counted.

        >>> dominoes = Puzzle("2x3", {"domino": any}).marginals("orientations")
        >>> dominoes[0, 0]
        {'domino:1': Fraction(1, 3), 'domino:2': Fraction(2, 3)}
        """
        if by not in ("pieces", "orientations", "kinds"):
            raise ValueError(f"by is {by!r}, expected pieces, orientations or kinds")
        return Marginals(self, [f"--marginals={by}", *_flags("of", of), *self._weights(weights)])

    def clues(
        self, number: int = 1, *, kinds: Some = "placement", fewest: bool = False,
        grade: str | None = None, seed: int | None = None,
    ) -> Generator[Clues, None, None]:
        """Puzzles with exactly one tiling, each by clues of these kinds from a random tiling.

        The kinds are placement, piece, wall, joined and sum; the grades easy, medium, hard.

        >>> for made in Puzzle("4x4", {"domino": any}).clues(seed=2, kinds="wall", fewest=True):
        ...     print(made.grade, made.clues[0], made.puzzle.count(up_to=2))
        easy {'kind': 'wall', 'cells': [[0, 2], [0, 3]]} 1
        """
        flags = [f"--number={number}", *_flags("kinds", kinds), *["--fewest"] * fewest]
        if grade is not None:
            flags.append(f"--grade={grade}")
        if seed is not None:
            flags.append(f"--seed={seed}")
        with contextlib.closing(self._run("clues", "--json", *flags)) as lines:
            for line in lines:
                made = json.loads(line)
                puzzle = Puzzle.parse(made["puzzle"])
                yield Clues(puzzle, made["clues"], made["grade"], int(made["seed"]))

    def _repr_svg_(self) -> str:
        return self._picture("show")

    def _members(self, choices: list[Any]) -> Sequence[Placement]:
        return [
            Placement(p["piece"], tuple(map(tuple, p["cells"])), p.get("marks", ""))
            for p in choices
        ]

    def _solution(self, members: Sequence[Placement], numbers: list[int]) -> Tiling:
        axes = len(members[0].cells[0]) if members else 0
        return Tiling(tuple(members[n] for n in numbers), tuple(numbers), axes, self)

    def _selector(self, key: Any) -> str:
        return str(key)


def _flags(name: str, values: Some) -> list[str]:
    return [f"--{name}={value}" for value in ([values] if isinstance(values, str) else values)]
