"""Files that attack the readers of lists. Each must be refused with a sentence, or give the true rows."""

import io
import lzma
import struct
import zipfile

import lists
import parquets

# A secret outside of the file, which no attack may read.
SECRET = "a-secret-of-the-machine"


class Attack:
    """`code` is the beginning of the refusal of farol-formats; None: it gives only the rows of the file.
    `sentence` is part of the message of `farol import`."""

    def __init__(self, name, code, sentence="", limits=True):
        self.name, self.code, self.sentence, self.limits = name, code, sentence, limits


def zip_bytes(entries, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as file:
        for name, content in entries.items():
            with file.open(name, "w", force_zip64=True) as part:
                for piece in content if isinstance(content, list) else [content]:
                    part.write(piece)
    return buffer.getvalue()


def make(folder, secret):
    """Writes the files and returns the attacks."""
    attacks = []

    def attack(name, content, *expected, **more):
        path = folder / name
        if content is not None:
            path.write_bytes(content)
        attacks.append(Attack(name, *expected, **more))

    megabyte = b"a,b\n" * (1 << 18)
    attack("bomb.csv.zip", zip_bytes({"list.csv": [megabyte] * 600}), "unpacks_too_much",
           "unpacks to too many bytes")
    # Without its sentence: the importer would first refuse millions of rows.
    attack("bomb.csv.xz", lzma.compress(megabyte * 300), "unpacks_too_much")
    attack("nested.zip", zip_bytes({"list.zip": zip_bytes({"list.csv": b"a,b\n1,2\n"})}), "nested",
           "unpack it and send that file")
    attack("inside.zip", zip_bytes({"list.csv": zip_bytes({"list.csv": b"a,b\n1,2\n"})}), None,
           "another packed file")
    attack("many.zip", zip_bytes({f"{n}.txt": b"" for n in range(10_050)}, zipfile.ZIP_STORED),
           "unpacks_too_much", "too many bytes")
    attack("two.zip", zip_bytes({"one.csv": b"a,b\n1,2\n", "two.csv": b"a,b\n1,2\n"}), "several",
           "several lists (one.csv, two.csv)")
    attack("empty.zip", zip_bytes({}), None, "archive is empty")

    entity_row = b'<row><c t="inlineStr"><is><t>&%s;</t></is></c></row>'
    lists.xlsx(folder / "entity.xlsx", [("A", lists.table() + [entity_row % b"e"])],
               sheet_head=f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>')
    attack("entity.xlsx", None, None)
    laughs = "".join(f'<!ENTITY l{n} "{"&l%d;" % (n - 1) * 10}">' for n in range(1, 10))
    lists.xlsx(folder / "laughs.xlsx", [("A", lists.table() + [entity_row % b"l9"])],
               sheet_head=f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>')
    attack("laughs.xlsx", None, None)
    lists.xlsx(folder / "bomb.xlsx", [
        ("A", [("<row>" + lists.xlsx_cell("x") * 40 + "</row>").encode() * 1_000] * 300)])
    attack("bomb.xlsx", None, "unpacks_too_much", "unpacks to too many bytes")
    lists.xlsx(folder / "sheets.xlsx", [("One", lists.table()), ("Two", lists.table())])
    attack("sheets.xlsx", None, "several", "several lists (One, Two)")

    shape = {name: part.read_bytes() for name, part in lists.shapefile(folder / "shape").items()}
    lying = dict(shape)
    lying["list.dbf"] = shape["list.dbf"][:4] + struct.pack("<I", 2_000_000_000) + shape["list.dbf"][8:]
    lying["list.shx"] = shape["list.shx"][:24] + struct.pack(">i", 0x7FFFFF00) + shape["list.shx"][28:]
    attack("lying.shp.zip", zip_bytes(lying), "damaged", "damaged or was cut off")
    far = dict(shape)
    far["list.shx"] = shape["list.shx"][:100] + struct.pack(">ii", 0x3FFFFFFF, 0x3FFFFFFF) \
        + shape["list.shx"][108:]
    attack("far.shp.zip", zip_bytes(far), "damaged", "damaged")
    short = dict(shape)
    short["list.shp"] = shape["list.shp"][:len(shape["list.shp"]) // 2]
    attack("short.shp.zip", zip_bytes(short), "damaged", "damaged")
    alone = {"list.shp": shape["list.shp"]}
    attack("alone.shp.zip", zip_bytes(alone), "incomplete", "lacks parts of the Shapefile")

    lists.geopackage(folder / "trigger.gpkg", [
        "CREATE TABLE told (a)",
        "CREATE TRIGGER t AFTER INSERT ON devices BEGIN INSERT INTO told VALUES (load_extension('x')); END"])
    attack("trigger.gpkg", None, None)
    lists.geopackage(folder / "view.gpkg", [
        "ALTER TABLE devices RENAME TO hidden",
        "CREATE VIEW devices AS SELECT * FROM hidden"])
    attack("view.gpkg", None, "view", "is a view")
    lists.geopackage(folder / "endless.gpkg", [
        "ALTER TABLE gpkg_contents RENAME TO hidden",
        "CREATE VIEW gpkg_contents AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT hidden.* FROM hidden, n WHERE x < 0"])
    attack("endless.gpkg", None, "damaged", "damaged")
    lists.geopackage(folder / "endless-list.gpkg", [
        "ALTER TABLE devices RENAME TO hidden",
        "CREATE VIEW devices AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) "
        "SELECT hidden.* FROM hidden, n WHERE x < 0"])
    attack("endless-list.gpkg", None, "view", "is a view")
    lists.geopackage(folder / "endless-join.gpkg", [
        "ALTER TABLE gpkg_geometry_columns RENAME TO hidden",
        "CREATE VIEW gpkg_geometry_columns AS SELECT hidden.* FROM hidden, "
        + ", ".join(f"sqlite_master AS m{number}" for number in range(30)) + " WHERE m0.name = 'none'"])
    attack("endless-join.gpkg", None, "damaged", "damaged")
    lists.geopackage(folder / "whole.gpkg")
    whole = (folder / "whole.gpkg").read_bytes()
    attack("short.gpkg", whole[:len(whole) // 2], "damaged", "damaged")
    attack("noise.gpkg", b"SQLite format 3\0" + bytes(range(256)) * 64, "damaged", "damaged")

    lists.frame().to_file(folder / "whole.fgb", driver="FlatGeobuf")
    whole = (folder / "whole.fgb").read_bytes()
    attack("short.fgb", whole[:len(whole) * 2 // 3], "damaged", "damaged")
    attack("long.fgb", whole[:8] + struct.pack("<I", 0x7FFFFFFF) + whole[12:], "damaged", "damaged")

    for name, content, code, sentence in parquets.attacks():
        attack(name, content, code, sentence)

    lists.osm(folder / "whole.osm.pbf")
    whole = (folder / "whole.osm.pbf").read_bytes()
    attack("short.osm.pbf", whole[:len(whole) // 2], "damaged", "damaged")
    attack("long.osm.pbf", whole[:4] + b"\x0a\x09OSMHeader\x18\xff\xff\xff\xff\x07" + whole[20:], "damaged",
           "damaged")
    # A zero byte ends a text of libosmium, so that the last tag of an element has no value.
    lists.osm(folder / "zero.osm.pbf", "pbf,pbf_compression=none")
    whole = (folder / "zero.osm.pbf").read_bytes()
    attack("zero.osm.pbf", whole.replace(b"man_made", b"man\0made"), "damaged", "damaged")

    kml = ('<?xml version="1.0"?>{head}<kml xmlns="http://www.opengis.net/kml/2.2"><Document><Placemark>'
           '<name>{name}</name><Point><coordinates>1,2</coordinates></Point></Placemark>{more}'
           "</Document></kml>")
    attack("entity.kml", kml.format(
        head=f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]>', name="&e;", more="").encode(), None)
    attack("link.kml", kml.format(head="", name="A", more=(
        "<NetworkLink><Link><href>http://127.0.0.1:9/x.kml</href></Link></NetworkLink>"
        f"<NetworkLink><Link><href>file://{secret}</href></Link></NetworkLink>")).encode(), None)
    attack("laughs.kml", kml.format(
        head=f'<!DOCTYPE x [<!ENTITY l0 "ha">{laughs}]>', name="&l9;", more="").encode(), None)
    attack("short.kml", kml.format(head="", name="A", more="").encode()[:150], "damaged", "damaged")
    attack("deep.kml", ('<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2">'
                        + "<Folder>" * 200_000).encode(), None, limits=False)
    attack("short.gpx", lists.gpx()[:3_000], "damaged", "damaged")
    attack("entity.gpx", lists.gpx().replace(
        b"<gpx", f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{secret}">]><gpx'.encode(), 1)
           .replace(b"<name>", b"<name>&e;"), None)
    return attacks
