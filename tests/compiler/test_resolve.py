"""`use`: where files are looked up, each read once, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

from compiler import Checked, load
from compiler.diagnostics import Code
from compiler.model.datasets import dataset
from ebc.tables import DiskFiles


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def loaded(tmp_path: Path, files: dict[str, str], shipped: dict[str, str] | None = None) -> Checked:
    write(tmp_path / "own", files)
    write(tmp_path / "shipped", shipped or {})
    return load("main.eb", DiskFiles(tmp_path / "own"), DiskFiles(tmp_path / "shipped"))


def codes(checked: Checked) -> list[Code]:
    return [found.code for found in checked.diagnostics]


def emotion(name: str) -> str:
    return f'emotion {name} {{ factor one {{ "Something of {name} happens." }} }}\n'


def test_use_looks_beside_the_file_then_in_the_library(tmp_path: Path) -> None:
    main = 'use "deep/a"  use "lib/b"'
    own = {"main.eb": main, "deep/a.eb": 'use "c"' + emotion("a"), "deep/c.eb": emotion("c")}
    checked = loaded(tmp_path, own, {"lib/b.eb": 'use "d"' + emotion("b"), "lib/d.eb": emotion("d")})
    assert codes(checked) == []
    assert list(checked.program.emotions) == ["c", "a", "d", "b"] or set(checked.program.emotions) == set(
        "abcd"
    )
    assert set(checked.program.files) == {"main.eb", "deep/a.eb", "deep/c.eb", "ebc:lib/b.eb", "ebc:lib/d.eb"}


def test_a_file_of_ones_own_hides_the_librarys(tmp_path: Path) -> None:
    checked = loaded(
        tmp_path, {"main.eb": 'use "lib/b"', "lib/b.eb": emotion("mine")}, {"lib/b.eb": emotion("theirs")}
    )
    assert list(checked.program.emotions) == ["mine"]


def test_a_star_takes_every_file_of_the_folder(tmp_path: Path) -> None:
    names = [f"e{k}" for k in range(20)]
    files = {f"emotions/{name}.eb": emotion(name) for name in names}
    checked = loaded(tmp_path, {"main.eb": 'use "emotions/*"', **files})
    assert set(checked.program.emotions) == set(names)


def test_a_file_used_by_two_is_read_once(tmp_path: Path) -> None:
    files = {"main.eb": 'use "a" use "b"', "a.eb": 'use "c"', "b.eb": 'use "c"', "c.eb": emotion("c")}
    checked = loaded(tmp_path, files)
    assert codes(checked) == []


def test_a_circle_is_named(tmp_path: Path) -> None:
    checked = loaded(tmp_path, {"main.eb": 'use "a"', "a.eb": 'use "b"', "b.eb": 'use "a"' + emotion("b")})
    assert codes(checked) == [Code.IMPORT_CYCLE]
    assert "`b.eb` and `a.eb`" in checked.diagnostics[0].message


def test_a_missing_file_and_other_mistakes_are_said_in_one_run(tmp_path: Path) -> None:
    checked = loaded(tmp_path, {"main.eb": 'use "nowhere"\nemotion anger {\n', "other.eb": ""})
    assert codes(checked) == [Code.NO_FILE, Code.SYNTAX]


def test_the_same_name_in_two_files(tmp_path: Path) -> None:
    checked = loaded(tmp_path, {"main.eb": 'use "a"  use "b"', "a.eb": emotion("x"), "b.eb": emotion("x")})
    assert codes(checked) == [Code.DUPLICATE]
    assert checked.diagnostics[0].notes[0].span.path == "a.eb"


def test_situations_from_a_file_beside_the_one_that_names_it(tmp_path: Path) -> None:
    use = 'emotion fear { factor dark from "dark.csv" column "what" }'
    own = {
        "main.eb": 'use "deep/fear"',
        "deep/fear.eb": use,
        "deep/dark.csv": "n,what\n1,A door creaks.\n2,A light fails.\n",
    }
    checked = loaded(tmp_path, own)
    assert codes(checked) == []
    from compiler.model.stimuli import situations_of

    texts = [
        p.stimulus.fields["situation"] for p in situations_of(checked.program, checked.program.emotions["fear"])
    ]
    assert texts == ["A door creaks.", "A light fails."]


def test_a_file_that_is_not_utf8(tmp_path: Path) -> None:
    write(tmp_path / "own", {"main.eb": 'use "a"'})
    (tmp_path / "own" / "a.eb").write_bytes(emotion("x").encode("utf-16"))
    checked = load("main.eb", DiskFiles(tmp_path / "own"), DiskFiles(tmp_path / "none"))
    assert codes(checked) == [Code.NOT_UTF8]


def test_stimuli_from_a_file_beside_the_one_that_names_it(tmp_path: Path) -> None:
    own = {
        "main.eb": 'use "deep/talks"',
        "deep/talks.eb": 'stimuli talks from "talks.csv" { said = column "text" }',
        "deep/talks.csv": "text\nHello.\n",
    }
    checked = loaded(tmp_path, own)
    assert codes(checked) == []
    (told,) = dataset(checked.program, checked.program.stimuli["talks"]).stimuli
    assert (told.id, told.fields) == ("talks.1", {"said": "Hello."})
    twice = loaded(tmp_path, {"main.eb": 'use "deep/talks"  use "b"', "b.eb": own["deep/talks.eb"]})
    assert Code.DUPLICATE in codes(twice)
