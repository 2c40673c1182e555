"""The files of operations/postgresql with the folders of the test in place of those to replace."""

from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "operations/postgresql"


def render(name, target, values):
    """Writes a file with values replaced. Each must occur, so that the test uses the file that operators use."""
    text = (FOLDER / name).read_text()
    # Longer values first: one may be a part of another.
    for before in sorted(values, key=len, reverse=True):
        if before not in text:
            raise RuntimeError(f"{name} does not contain {before!r}")
        text = text.replace(before, str(values[before]))
    Path(target).write_text(text)
