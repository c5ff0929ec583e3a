#!/usr/bin/env python3
"""Runs the cells of a notebook and keeps their outputs, without Jupyter.

usage: notebook.py NOTEBOOK

The outputs are those of Jupyter: the last expression of a cell as text and, if it has one, as
a picture; what the cell prints comes before it.
"""

import ast
import contextlib
import io
import json
import sys
from typing import Any


def run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """The outputs of a cell."""
    statements = ast.parse(source)
    last = None
    if isinstance(statements.body[-1], ast.Expr):
        last = ast.Expression(statements.body.pop().value)  # type: ignore[attr-defined]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(statements, "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": text})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        if hasattr(value, "_repr_svg_"):
            data["image/svg+xml"] = value._repr_svg_().splitlines(keepends=True)
        outputs.append({"data": data, "metadata": {}, "output_type": "execute_result"})
    return outputs


def rerun(text: str) -> str:
    """The notebook with the outputs that its cells have now."""
    notebook = json.loads(text)
    names: dict[str, Any] = {}
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for number, cell in enumerate(cells, 1):
        cell["execution_count"] = number
        cell["outputs"] = run("".join(cell["source"]), names)
        for output in cell["outputs"]:
            if output["output_type"] == "execute_result":
                output["execution_count"] = number
    return json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: notebook.py NOTEBOOK")
    with open(sys.argv[1], encoding="utf-8") as file:
        made = rerun(file.read())
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(made)
