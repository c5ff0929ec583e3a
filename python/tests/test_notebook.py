"""The how-to is a notebook, whose outputs are those of this version.

After a change: python3 python/tests/notebook.py doc/howto/python.ipynb
"""

from pathlib import Path

import notebook


def test_notebook() -> None:
    text = Path(__file__).parents[2].joinpath("doc/howto/python.ipynb").read_text(encoding="utf-8")
    assert notebook.rerun(text) == text
