"""Exact covers of sets."""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from .problem import Problem, Weights
from .program import number


class Cover(Problem[list[Any]]):
    """Which of the sets cover each item exactly once, and secondary items at most once?

    Sets in a mapping have its keys, and others are numbered from 0. The items are those of
    the sets and perhaps more. A solution is the list of the keys of its sets.

    >>> sets = {"a": [1, 4, 7], "b": [1, 4], "c": [4, 5, 7], "d": [3, 5, 6], "f": [2, 7]}
    >>> Cover(sets).count(), *Cover(sets).solutions()
    (1, ['b', 'd', 'f'])
    >>> [*Cover([{1}, {2}, {1, 2}]).solutions()]
    [[0, 1], [2]]
    >>> [*Cover([{1}, {1, 2}], secondary=[2]).solutions()]
    [[0], [1]]
    """

    _kind = "options"

    def __init__(
        self,
        sets: Mapping[Any, Iterable[Hashable]] | Iterable[Iterable[Hashable]],
        *, items: Iterable[Hashable] = (), secondary: Iterable[Hashable] = (),
    ):
        named = dict(sets) if isinstance(sets, Mapping) else dict(enumerate(sets))
        self._keys = {key: n for n, key in enumerate(named)}
        optional, index = set(secondary), {item: n for n, item in enumerate(dict.fromkeys(items))}
        options: dict[frozenset[int], int] = {}
        lines: list[str] = []
        for key, members in named.items():
            option = frozenset([index.setdefault(item, len(index)) for item in members])
            if not option:
                raise ValueError(f"the set {key!r} is empty, expected at least one item")
            again = options[option] = options.get(option, -1) + 1
            names = [f"i{n}" for n in sorted(option)]
            if again:  # the program wants different options: an item of its own makes it so
                names.append(f"again{len(lines)}")
            lines.append(" ".join(["option", *names]))
        bounds = [f"item i{n} {'0..1' if item in optional else 1}" for item, n in index.items()]
        extra = [f"item {line.split()[-1]} 0..1" for line in lines if " again" in line]
        # An item that nothing uses makes a file of no items.
        text = "\n".join(["item unused 0..1", *bounds, *extra, *lines])
        self._source, self._text = ("-",), text + "\n"

    def marginals(self, weights: Weights | None = None) -> dict[Any, Fraction]:
        """How likely each set is in a random solution, or in one that is drawn by weights.

        >>> Cover([{1}, {2}, {1, 2}]).marginals({2: Fraction(1, 2)})
        {0: Fraction(2, 3), 1: Fraction(2, 3), 2: Fraction(1, 3)}
        """
        answer = self._answer("query", "--marginals=placements", *self._weights(weights))
        total = number(answer.get("weight") or answer["count"])
        options = answer["placements"]
        return {key: number(options[n]["count"]) / (total or 1) for key, n in self._keys.items()}

    @cached_property
    def _keys(self) -> dict[Any, int]:
        """The numbers of the options of a file; its keys are their items."""
        lines = (line.decode().split() for line in self._run("convert", "--to=cover"))
        options = (tuple(words[1:]) for words in lines if words[0] == "option")
        return {option: n for n, option in enumerate(options)}

    def _members(self, choices: list[Any]) -> Sequence[Any]:
        return list(self._keys)

    def _solution(self, members: Sequence[Any], numbers: list[int]) -> list[Any]:
        return [members[n] for n in numbers]

    def _selector(self, key: Any) -> str:
        return f"#{self._keys[key]}"
