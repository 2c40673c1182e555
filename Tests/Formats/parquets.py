"""Lists in Parquet, and Parquet files that attack their reader."""

import io
import json
import random
import struct

import duckdb
import pyarrow
from pyarrow import parquet

import lists

COMPRESSIONS = ("snappy", "gzip", "brotli", "zstd", "lz4", "none")
# The field header of a 64-bit number in Thrift's compact protocol, and the number of rows.
ROWS = b"\x16\xf0\x01"
assert lists.COUNT == 120


def plain(path):
    """A table without geometry, written by DuckDB."""
    with duckdb.connect() as database:
        database.register("list", pyarrow.Table.from_pylist(list(lists.rows())))
        database.execute("COPY list TO '%s' (FORMAT parquet)" % path)


def unstated(path):
    """Geometries as bytes without the metadata of GeoParquet, and texts that are not marked as texts."""
    table = list(lists.rows())
    for row in table:
        row["shape"] = struct.pack("<BIdd", 1, 1, row.pop("lon"), row.pop("lat"))
        row["label"] = row["label"].encode()
    parquet.write_table(pyarrow.Table.from_pylist(table), path)


def geo(path, crs=4326, **options):
    lists.frame(crs).to_parquet(path, **options)


def written(table, **options):
    buffer = io.BytesIO()
    parquet.write_table(table, buffer, **options)
    return buffer.getvalue()


def with_geo(meaning):
    """The list with other metadata about its geometry."""
    table = pyarrow.table({"ref": ["a"], "geometry": [struct.pack("<BIdd", 1, 1, 7, 46)]})
    return written(table.replace_schema_metadata({"geo": json.dumps(meaning)}))


def column(**facts):
    return {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": facts}}


def footer(content, change):
    """The file with a changed footer, and its length."""
    length = struct.unpack("<I", content[-8:-4])[0]
    changed = change(content[-8 - length:-8])
    return content[:-8 - length] + changed + struct.pack("<I", len(changed)) + b"PAR1"


def nested(depth):
    kind = pyarrow.int64()
    for _ in range(depth):
        kind = pyarrow.struct([("a", kind)])
    return pyarrow.table({"ref": ["a"], "deep": pyarrow.nulls(1, kind)})


def attacks():
    """The name, the content and the expected refusal of each file, with a part of its sentence."""
    whole = written(pyarrow.Table.from_pylist(list(lists.rows())), write_page_checksum=True)
    yield "short.parquet", whole[:len(whole) // 2], "damaged", "damaged or was cut off"
    yield "empty.parquet", b"PAR1PAR1", "damaged", "damaged"
    yield "footer.parquet", whole[:-8] + struct.pack("<I", 0x7FFFFFFF) + b"PAR1", "damaged", "damaged"
    yield "rows.parquet", footer(whole, lambda part: part.replace(ROWS, b"\x16\xfe\x01")), "damaged", "damaged"
    many = b"\x16" + b"\xfe" * 8 + b"\x01"
    yield "many.parquet", footer(whole, lambda part: part.replace(ROWS, many)), "damaged", "damaged"
    yield "checksum.parquet", whole[:200] + bytes([whole[200] ^ 255]) + whole[201:], "damaged", "damaged"
    yield "encrypted.parquet", b"PARE" + bytes(40) + struct.pack("<I", 20) + b"PARE", "encrypted", "encrypted"
    big = pyarrow.table({"ref": ["a"], "name": pyarrow.array(["x" * (300 << 20)], pyarrow.large_string())})
    yield "page.parquet", written(big, compression="zstd", use_dictionary=False), "memory", "too much memory"
    yield "dictionary.parquet", written(
        big, compression="zstd", dictionary_pagesize_limit=1 << 30), "memory", "too much memory"
    del big
    same = pyarrow.array(["x" * 4_000] * 200_000).dictionary_encode()
    # Without its sentence: the importer would first refuse thousands of rows.
    yield "bomb.parquet", written(pyarrow.table({"name": same}), compression="zstd"), "unpacks_too_much", ""
    yield "deep.parquet", written(nested(60)), "damaged", "damaged"
    yield "columns.parquet", written(
        pyarrow.table({f"c{number}": [1] for number in range(20_000)})), "damaged", "more than 2,000 columns"
    yield "point.parquet", with_geo(column(encoding="point")), "encoding", "encoded as “point”"
    mars = {"type": "EngineeringCRS", "name": "Mars", "datum": {"type": "EngineeringDatum", "name": "Mars"}}
    yield "mars.parquet", with_geo(column(encoding="WKB", crs=mars)), "coordinates", "Mars"
    yield "number.parquet", with_geo(column(encoding="WKB", crs=3)), "coordinates", "cannot be converted"
    yield "missing.parquet", with_geo({"primary_column": "other", "columns": {
        "other": {"encoding": "WKB"}}}), "damaged", "damaged"
    yield "text.parquet", with_geo({"primary_column": "ref", "columns": {
        "ref": {"encoding": "WKB"}}}), "damaged", "damaged"
    yield "geo.parquet", with_geo([1]), "damaged", "damaged"
    # Without checksums and compression, so that the damage reaches the decoders.
    whole = written(pyarrow.Table.from_pylist(list(lists.rows())), compression="none")
    chance = random.Random(25)
    for number in range(24):
        changed = bytearray(whole)
        for _ in range(number % 4 + 1):
            changed[chance.randrange(4, len(changed))] = chance.randrange(256)
        # Either its rows or a refusal, but no crash.
        yield f"noise-{number}.parquet", bytes(changed), None, ""
