"""Unpacks the libraries of Apache Arrow and Parquet, their headers and licences from the wheel of pyarrow."""

import argparse
import re
import zipfile
from pathlib import Path, PurePosixPath

LIBRARY = re.compile(r"pyarrow/(lib(?:arrow|parquet)\.so\.[0-9]+)")
HEADER = re.compile(r"pyarrow/(include/(?:arrow|parquet)/.+[^/])")
LICENCE = re.compile(r"pyarrow-[^/]+\.dist-info/licenses/((?:LICENSE|NOTICE)\.txt)")


def place(name):
    """Where a file of the wheel belongs below the output folder; None: it is not needed."""
    if library := LIBRARY.fullmatch(name):
        return PurePosixPath("lib") / library[1]
    found = HEADER.fullmatch(name) or LICENCE.fullmatch(name)
    return PurePosixPath(found[1]) if found else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("wheel", type=Path)
    options = parser.parse_args()
    with zipfile.ZipFile(options.wheel) as wheel:
        for name in wheel.namelist():
            if target := place(name):
                path = options.output / target
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(wheel.read(name))
    for name in ("libarrow.so", "libparquet.so"):
        # The name by which the linker finds a library; programs load it by its full name.
        versions = list((options.output / "lib").glob(name + ".*"))
        if len(versions) != 1:
            raise SystemExit(f"{options.wheel.name} contains {len(versions)} versions of {name}, not one")
        (options.output / "lib" / name).symlink_to(versions[0].name)


main()
