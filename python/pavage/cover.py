"""Exact covers of sets."""

import itertools
import re
from collections.abc import Hashable, Iterable, Mapping, Sequence, Set
from fractions import Fraction
from functools import cached_property
from typing import Any

from .problem import Problem, Weights
from .program import number


class Cover(Problem[list[Any]]):
    """Which of the sets cover each item exactly once, and secondary items at most once?

    The keys of sets are those of the mapping, or numbers from 0. The items are the members of
    the sets and of ``items``. A solution is the list of the keys of its sets. Errors and
    compiled files name items by their text, with ``_`` for spaces.

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
        options = [_ordered(members) for members in named.values()]
        optional, taken = set(secondary), set[str]()

        def name(text: str) -> str:
            text = re.sub(r"[\s*#\ud800-\udfff]", "_", text)[:60] or "_"
            while text in taken:
                text += f"~{len(taken)}"
            taken.add(text)
            return text

        every = dict.fromkeys(itertools.chain(_ordered(items), *options))
        names = {item: name(str(item)) for item in every}
        lines = [f"item {names[item]} {'0..1' if item in optional else 1}" for item in every]
        found: set[frozenset[Hashable]] = set()
        for key, option in zip(named, options):
            if not option:
                raise ValueError(f"the set {key!r} is empty, expected at least one item")
            whole = frozenset(option)
            if len(whole) < len(option):  # such as a row of a matrix of 0 and 1
                twice = next(item for item in option if option.count(item) > 1)
                raise ValueError(f"the set {key!r} has the item {twice!r} twice, expected each item once")
            words = ["option", *(names[item] for item in option)]
            if whole in found:  # options must differ: an item of its own makes it so
                words.append(name("again"))
                lines.append(f"item {words[-1]} 0..1")
            found.add(whole)
            lines.append(" ".join(words))
        # A file of no items is not a cover.
        self._source, self._text = ("-",), "\n".join(lines or ["item unused 0..1"]) + "\n"

    def __repr__(self) -> str:
        if self._source == ("-",) and "_keys" in vars(self):
            return f"<Cover of {len(self._keys)} set{'s' * (len(self._keys) != 1)}>"
        return super().__repr__()

    def marginals(self, weights: Weights | None = None) -> dict[Any, Fraction]:
        """The probability of each set in a random solution, or in one that is drawn by weights.

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


def _ordered(items: Iterable[Hashable]) -> list[Hashable]:
    """The items, always in the same order: the same seed is to draw the same solutions, and
    Python orders a set of texts at random."""
    return sorted(items, key=repr) if isinstance(items, Set) else [*items]
