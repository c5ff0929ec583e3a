"""The package against the command line, and against plain Python on small cases."""

import io
import itertools
import json
import math
import os
import random
import select
import signal
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import pavage
from pavage import Cover, InputError, LimitError, PavageError, Puzzle, Tiling, program
from pavage.program import binary

DOMINOES = Puzzle("8x8", {"domino": any})


def command_line(*arguments: str) -> str:
    """What the command line answers."""
    command = [binary(), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def random_puzzle(chance: random.Random) -> tuple[Puzzle, list[str]]:
    board = f"{chance.randint(1, 4)}x{chance.randint(2, 5)}"
    copies: dict[str, Any] = {"monomino": chance.choice(["0..2", any])}
    for name in chance.sample(["domino", "I3", "L3", "O4", "T4", "2x3"], 2):
        copies[name] = chance.choice([1, "0..2", any, any])
    wrap = chance.choice(["none", "none", "rows", "both"])
    pieces = [f"--piece={name}={'any' if n is any else n}" for name, n in copies.items()]
    return Puzzle(board, copies, wrap=wrap), ["--board", board, "--wrap", wrap, *pieces]


@pytest.mark.parametrize("seed", range(100))
def test_random_puzzles(seed: int) -> None:
    puzzle, flags = random_puzzle(random.Random(seed))
    try:
        count = int(command_line("count", *flags))
    except subprocess.CalledProcessError as error:  # such as a piece larger than the board
        with pytest.raises(PavageError, match=r".") as raised:
            puzzle.count()
        assert f"pavage: {raised.value}" == error.stderr.strip()
        assert raised.value.code == error.returncode
        return
    assert puzzle.count() == count
    assert puzzle.count(up_to=2) == min(count, 2)
    if count < 1000:
        tilings = [*puzzle.solutions()]
        assert len({tiling.placements for tiling in tilings}) == len(tilings) == count
    if count:
        lines = command_line("sample", *flags, "--json", "-n", "3", "--seed", str(seed)).splitlines()
        drawn = [
            sorted((p.piece, [list(cell) for cell in p.cells]) for p in tiling.placements)
            for tiling in puzzle.sample(3, seed=seed)
        ]
        assert drawn == [
            sorted((p["piece"], p["cells"]) for p in json.loads(line)["placements"])
            for line in lines
        ]


def covers(sets: dict[Any, set[int]], items: set[int]) -> list[list[Any]]:
    """All exact covers, by trying every choice of sets."""
    return sorted(
        list(keys)
        for size in range(len(sets) + 1)
        for keys in itertools.combinations(sets, size)
        if sorted(itertools.chain(*(sets[key] for key in keys))) == sorted(items)
    )


@pytest.mark.parametrize("seed", range(30))
def test_random_covers(seed: int) -> None:
    chance = random.Random(seed)
    items = range(chance.randint(1, 5))
    most = min(3, len(items))
    sets = {f"set {n}": {*chance.sample(items, chance.randint(1, most))} for n in range(9)}
    cover, wanted = Cover(sets, items=items), covers(sets, {*items})
    assert sorted(cover.solutions()) == wanted
    assert cover.count() == len(wanted)
    weights = {"set 0": Fraction(2, 3), "set 4": 5}
    worth = [math.prod(Fraction(weights.get(key, 1)) for key in keys) for keys in wanted]
    assert cover.marginals(weights) == {
        key: sum(w for w, keys in zip(worth, wanted) if key in keys) / Fraction(sum(worth) or 1)
        for key in sets
    }
    if wanted:
        for keys in cover.sample(3, seed=seed):
            assert keys in wanted


def test_cover_of_nothing() -> None:
    assert Cover({}).count() == 1
    assert Cover({}, items="a").count() == 0
    assert [*Cover({}).solutions()] == [[]]
    with pytest.raises(ValueError, match="is empty"):
        Cover({"a": []})


def test_matrix() -> None:
    with pytest.raises(ValueError, match="the set 1 has the item 1 twice"):
        Cover([[0, 1], [1, 0, 0, 1]])


def test_names_of_covers() -> None:
    cover = Cover({"a": ["row 1", ("cell", 0)], "b": [1, "1"]}, items=["lost item"])
    assert cover.count() == 0
    with pytest.raises(PavageError, match='item "lost_item" must be used, but no option uses it'):
        next(cover.sample())
    assert repr(cover) == "<Cover of 2 sets>"
    odd = ["", " ", "*", "#", "#x", "a:b", "_", "_~1", "\ud800", "é", 1, "1", "x" * 100, "x" * 101]
    assert [*Cover([[item] for item in odd]).solutions()] == [[*range(len(odd))]]
    assert Cover([["again"], ["again"], ["again~1"]]).count() == 2


def test_order_of_sets() -> None:
    """The same seed draws the same solutions, though Python orders a set of texts at random."""
    command = (
        "import pavage, random\n"
        "chance = random.Random(3)\n"
        "sets = [{f'x{chance.randrange(12)}' for _ in range(chance.randint(1, 4))} for _ in range(60)]\n"
        "print(*pavage.Cover(sets).sample(3, seed=5))"
    )
    drawn = {
        subprocess.run(
            [sys.executable, "-c", command], capture_output=True, text=True, check=True,
            env=os.environ | {"PYTHONHASHSEED": seed},
        ).stdout for seed in "123"
    }
    assert len(drawn) == 1


def test_sudoku_in_five_lines() -> None:
    clues = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    sets = {(r, c, n): [("cell", r, c), ("row", r, n), ("column", c, n), ("box", r // 3, c // 3, n)]
            for r in range(9) for c in range(9) for n in "123456789" if clues[9 * r + c] in "." + n}
    solution, = Cover(sets).solutions()
    grid = "".join(n for r, c, n in sorted(solution))
    assert grid.startswith("534678912672195348")


def test_files_of_covers(tmp_path: Path) -> None:
    cover = Cover.example("queens-8")
    assert cover.distinct() == 12
    first, *_ = cover.sample(1, seed=1, weights={("r0", "c3", "u3", "d4"): 1000})
    assert ("r0", "c3", "u3", "d4") in first
    own = Cover({"x": "ab", "y": "a", "z": "b"})
    assert sorted(own.compile(tmp_path / "own.pavage").solutions()) == sorted(own.solutions())
    compiled = cover.compile(tmp_path / "queens.pavage")
    assert sorted(map(sorted, compiled.solutions())) == sorted(map(sorted, cover.solutions()))
    assert compiled.marginals() == cover.marginals()
    with pytest.raises(TypeError, match="is an exact cover, use Cover"):
        next(Puzzle.example("queens-8").solutions())


def test_large_numbers() -> None:
    assert Puzzle("4x3600", {"monomino": any, "1x1": any}).count() == 2**14400


def test_marginals() -> None:
    puzzle = Puzzle("4x5", {"domino": any, "monomino": "0..2"})
    weights = {"domino:1": Fraction(1, 3)}
    worth = {}
    for tiling in puzzle.solutions():
        rows = [{row for row, _ in p.cells} for p in tiling.placements if p.piece == "domino"]
        worth[tiling] = Fraction(1, 3) ** sum(len(row) == 1 for row in rows)
    marginals = puzzle.marginals(weights=weights)
    assert marginals.total == sum(worth.values())
    for cell, by in marginals.items():
        assert sum(by.values()) == 1
        for piece, share in by.items():
            sums = sum(w for t, w in worth.items() if t.cells[cell].piece == piece)
            assert share * marginals.total == sums
    array = marginals.array()
    assert array.shape == (2, 4, 5)
    assert array.sum(axis=0) == pytest.approx(1)
    assert Puzzle.example("soma").marginals().array().shape == (7, 3, 3, 3)


def test_conditions() -> None:
    puzzle = Puzzle.example("pentominoes-6x10").conditions(with_="X5@1,1", without="P5@0,0")
    narrower = puzzle.conditions(apart="I5,V5", at_most=["1:F5"])
    flags = ["--with=X5@1,1", "--without=P5@0,0", "--apart=I5,V5", "--at-most=1:F5"]
    count = int(command_line("count", "name:pentominoes-6x10", *flags))
    assert narrower.count() == count < puzzle.count()
    for tiling in narrower.sample(3, seed=1):
        assert tiling.cells[1, 1].piece == "X5"
    assert Puzzle("6x6", {"domino": any}).conditions(fault_free=True).count() == 0
    calendar = Puzzle.example("calendar").conditions(with_="block").set(month="jan", day=1)
    assert calendar.count() == Puzzle.example("calendar").set(month="jan", day=1).count()


def test_compiled_puzzles(tmp_path: Path) -> None:
    puzzle = Puzzle("6x6", {"domino": any}).conditions(with_="0,0=domino:1")
    compiled = puzzle.compile(tmp_path / "dominoes.pavage")
    assert compiled.count() == puzzle.count()
    assert {*compiled.solutions()} == {*puzzle.solutions()}
    assert {*Puzzle.read(tmp_path / "dominoes.pavage").solutions()} == {*puzzle.solutions()}


def test_pictures() -> None:
    packing = Puzzle("3x4", {"T4": "0..2"}, cover="at-most")
    for tiling in packing.solutions():
        # The drawing has the letter of each copy, and a point on each empty cell.
        assert str(tiling).count("T") == len(tiling.placements)
        assert str(tiling).count("·") == 12 - len(tiling.cells)
    solid = next(Puzzle.example("soma").sample(seed=1))
    for drawn in (tiling, packing, packing.marginals("kinds"), solid, Puzzle.example("soma")):
        assert drawn._repr_svg_().startswith("<svg ")
    large = next(Puzzle("100x100", {"domino": any}).sample(seed=1))
    assert len(large.numbers) == 5000
    assert large._repr_svg_().startswith("<svg ")


def test_empty_tiling() -> None:
    """A puzzle without placements has a tiling of none."""
    tiling, = Puzzle("1x1", {"domino": "0..2"}, cover="at-most").solutions()
    assert tiling.placements == ()
    assert "·" in str(tiling)
    assert tiling._repr_svg_().startswith("<svg ")


def test_clues() -> None:
    dominoes = [{"name": name, "shape": name} for name in ("01", "13", "22", "24")]
    pips = Puzzle.parse({"board": "2x4", "pieces": dominoes, "regions": "abbc\naddc"})
    for made in pips.clues(2, seed=1, kinds=["wall", "sum"]):
        assert made.puzzle.count() == 1
        assert {clue["kind"] for clue in made.clues} <= {"wall", "sum"}
        assert len(next(made.puzzle.solutions()).placements[0].marks) == 2


def test_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="no such file"):
        Puzzle.read(tmp_path / "none.yaml").count()
    with pytest.raises(InputError, match="standard input:1:"):
        Puzzle.parse("{board: 2x}").count()
    with pytest.raises(TypeError, match="not a value of a puzzle file"):
        Puzzle.parse({"board": {1, 2}})
    with pytest.raises(TypeError, match="float"):
        next(DOMINOES.sample(weights={"domino": 0.5}))  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="expected pieces"):
        DOMINOES.marginals("heights")
    monkeypatch.setenv("PAVAGE_MEMORY", "1MiB")
    with pytest.raises(LimitError) as raised:
        Puzzle("14x14", {"tetrominoes": any}).compile(tmp_path / "large.pavage")
    assert raised.value.code == 3


def test_without_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = Path(binary())
    monkeypatch.setattr(program, "__file__", str(tmp_path / "program.py"))
    monkeypatch.setenv("PATH", str(found.parent))
    monkeypatch.delenv("PAVAGE_BINARY", raising=False)
    assert DOMINOES.count() == 12988816
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="no program pavage in PAVAGE_BINARY or in PATH"):
        DOMINOES.count()
    monkeypatch.setenv("PAVAGE_BINARY", str(found))
    assert DOMINOES.count() == 12988816


def test_back_pressure(monkeypatch: pytest.MonkeyPatch) -> None:
    children: list[subprocess.Popen[bytes]] = []

    class Popen(subprocess.Popen[bytes]):
        def __init__(self, *arguments: Any, **settings: Any):
            super().__init__(*arguments, **settings)
            children.append(self)

    monkeypatch.setattr(subprocess, "Popen", Popen)
    solutions = DOMINOES.solutions()
    for _ in range(10):
        assert isinstance(next(solutions), Tiling)
    assert children[0].poll() is None  # 12,988,806 tilings are left
    solutions.close()
    assert children[0].returncode is not None
    for _ in DOMINOES.solutions():
        break  # CPython closes a generator that nobody has any more
    assert children[1].returncode is not None


def test_progress(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    bars = b"counting 9% [>--] 2 s left\n\x1b[1A\x1b[Jcounting 10% [=>-] 1 s left\n\x1b[1A\x1b[J"
    remarks: list[str] = []
    program._follow(io.BytesIO(bars), remarks)
    assert (remarks, capsys.readouterr().err) == ([], "")
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    program._follow(io.BytesIO(bars + b"pavage: interrupted\n"), remarks)
    assert remarks == ["pavage: interrupted"]
    shown = capsys.readouterr().err
    assert shown.startswith("\rcounting 9% [>--] 2 s left\rcounting 10% [=>-] 1 s left\r  ")
    assert shown.endswith(" \r")


def test_names() -> None:
    assert pavage.__version__
    assert repr(Puzzle.example("soma")) == "<Puzzle name:soma>"
    assert repr(Puzzle.parse("{board: 2x3}")) == "<Puzzle {board: 2x3}>"
    assert repr(DOMINOES.conditions(without="0,0")) == \
        "<Puzzle --board=8x8 --piece=domino=any --without=0,0>"


# A shell starts background jobs with SIGINT ignored.
LONG = """
import os, signal, subprocess, threading, pavage
signal.signal(signal.SIGINT, signal.default_int_handler)
class Popen(subprocess.Popen):
    def __init__(self, *arguments, **settings):
        alive = os.environ.get("ALIVE")
        super().__init__(*arguments, pass_fds=[int(alive)] if alive else [], **settings)
        threading.Thread.child = self
class Thread(threading.Thread):
    def start(self):
        super().start()
        print(self.child.pid, flush=True)
subprocess.Popen, threading.Thread = Popen, Thread
pavage.Puzzle("16x16", {"tetrominoes": any}).count()
"""


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals for one process")
def test_keyboard_interrupt() -> None:
    python = subprocess.Popen(
        [sys.executable, "-c", LONG], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )
    assert python.stdout and python.stderr
    child = int(python.stdout.readline())
    python.send_signal(signal.SIGINT)
    assert python.stderr.read().rstrip().endswith("KeyboardInterrupt")
    assert python.wait() == -signal.SIGINT
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no signals for one process")
@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_killed(end: signal.Signals) -> None:
    reading, alive = os.pipe()  # the program and Python hold alive
    python = subprocess.Popen(
        [sys.executable, "-c", LONG], stdout=subprocess.PIPE, text=True, pass_fds=[alive],
        env=os.environ | {"ALIVE": str(alive)},
    )
    os.close(alive)
    assert python.stdout
    child = int(python.stdout.readline())
    python.send_signal(end)
    python.wait()
    try:
        assert select.select([reading], [], [], 60)[0], "the program goes on"
        assert os.read(reading, 1) == b""
    except AssertionError:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.close(reading)
