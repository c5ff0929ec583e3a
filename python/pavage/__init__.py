"""Counts tilings and other exact covers without listing them, and draws fair samples.

The work is done by the program ``pavage``, which each wheel contains. Without a wheel the
environment variable ``PAVAGE_BINARY`` or the ``PATH`` names the program.

>>> from pavage import Cover, Puzzle
>>> Puzzle("8x8", {"domino": any}).count()
12988816
>>> Cover({"a": {1, 2}, "b": {3}, "c": {1, 2, 3}}).count()
2

Each call is one run of the program, whose settings come from the environment:
``PAVAGE_MEMORY=8G``, ``PAVAGE_TIMEOUT=10m``, ``PAVAGE_THREADS=2``. The program shows its
progress on standard error, if that is a terminal or belongs to a notebook. Ctrl-C ends the
program. If Python is killed, the program ends soon after; on Windows it first ends its work.

Numbers are exact: ``int`` and ``fractions.Fraction``. Python prints numbers of more than
4300 digits only after ``sys.set_int_max_str_digits(0)``.
"""

import importlib.metadata

from .cover import Cover
from .program import InputError, LimitError, PavageError
from .puzzle import Clues, Marginals, Placement, Puzzle, Tiling

__all__ = [
    "Clues", "Cover", "InputError", "LimitError", "Marginals", "PavageError", "Placement",
    "Puzzle", "Tiling",
]

try:
    __version__ = importlib.metadata.version("pavage")
except importlib.metadata.PackageNotFoundError:  # a folder of sources, not a wheel
    __version__ = "0.dev0"
