"""The same list of devices in every format that farol-formats reads."""

import bz2
import json
import lzma
import sqlite3
import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

import geopandas
import osmium
from shapely.geometry import Point

COUNT = 120

MAPPING = {
    "source": {"code": "formats", "name": "A list", "licence": "CC0-1.0", "attribution": "A list"},
    "key": "{ref}",
    "keep": "none",
    "fields": {
        "category": {"from": "kind", "values": {"Camera": "camera_fixed", "Reader": "alpr"}},
        "name": [{"template": "{label}"}],
        "description": [{"from": "remark"}],
        "units": [{"from": "units"}],
        "height": [{"from": "height"}],
        "started_on": [{"from": "since"}],
    },
}
# A table without geometry has its position in columns.
TABLE_MAPPING = MAPPING | {"fields": MAPPING["fields"] | {
    "longitude": {"from": "lon"}, "latitude": {"from": "lat"}}}
# A column with the geometries in well-known binary, and no statement about it.
BYTES_MAPPING = MAPPING | {"fields": MAPPING["fields"] | {"position": {"from": "shape"}}}


def rows():
    """Rows with text of several scripts, numbers, a date and empty values."""
    for number in range(COUNT):
        yield {
            "ref": f"A-{number:04}", "kind": "Camera" if number % 2 else "Reader",
            "label": f"Gerät {number} «café» 監視 {number % 7}", "units": number % 5 + 1,
            "remark": None if number % 3 else f"First & <second> \"{number}\"",
            "height": round(2.5 + number / 16, 4), "since": f"20{10 + number % 10}-0{number % 9 + 1}-15",
            "lon": round(-9.15 + number * 0.0371, 7), "lat": round(38.71 + number * 0.0113, 7),
        }


def frame(crs=4326):
    table = list(rows())
    points = [Point(row["lon"], row["lat"]) for row in table]
    columns = [{key: value for key, value in row.items() if key not in ("lon", "lat")} for row in table]
    return geopandas.GeoDataFrame(columns, geometry=points, crs=4326).to_crs(crs)


def geojson():
    features = [
        {"type": "Feature", "geometry": {"type": "Point", "coordinates": [row["lon"], row["lat"]]},
         "properties": {key: value for key, value in row.items() if key not in ("lon", "lat")}}
        for row in rows()]
    return json.dumps({"type": "FeatureCollection", "features": features}, ensure_ascii=False).encode()


def csv():
    table = list(rows())
    def cell(value):
        return "" if value is None else '"' + str(value).replace('"', '""') + '"'
    lines = [",".join(table[0])] + [",".join(cell(value) for value in row.values()) for row in table]
    return ("\r\n".join(lines) + "\r\n").encode()


def xlsx_cell(value):
    if value is None:
        return "<c/>"
    if isinstance(value, (int, float)):
        return f"<c><v>{value}</v></c>"
    return f'<c t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>'


def xlsx(path, sheets, sheet_head="", workbook_head=""):
    """The parts of a workbook that readers need; `sheets` are names with rows, as lists or as XML."""
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        numbers = range(1, len(sheets) + 1)
        file.writestr("[Content_Types].xml", f'<?xml version="1.0"?><Types xmlns="{package}/content-types">'
                      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.'
                      'relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>'
                      f'<Override PartName="/xl/workbook.xml" ContentType="{kinds}.sheet.main+xml"/>'
                      + "".join(f'<Override PartName="/xl/worksheets/sheet{n}.xml" '
                                f'ContentType="{kinds}.worksheet+xml"/>' for n in numbers) + "</Types>")
        file.writestr("_rels/.rels", f'<?xml version="1.0"?><Relationships xmlns="{package}/relationships">'
                      f'<Relationship Id="rId1" Type="{links}/officeDocument" Target="xl/workbook.xml"/>'
                      "</Relationships>")
        file.writestr("xl/workbook.xml", f'<?xml version="1.0"?>{workbook_head}<workbook xmlns="{main}" '
                      f'xmlns:r="{links}"><sheets>' + "".join(
                          f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>'
                          for n, (name, _) in enumerate(sheets, 1)) + "</sheets></workbook>")
        file.writestr("xl/_rels/workbook.xml.rels",
                      f'<?xml version="1.0"?><Relationships xmlns="{package}/relationships">' + "".join(
                          f'<Relationship Id="rId{n}" Type="{links}/worksheet" '
                          f'Target="worksheets/sheet{n}.xml"/>' for n in numbers) + "</Relationships>")
        for n, (_, table) in enumerate(sheets, 1):
            with file.open(f"xl/worksheets/sheet{n}.xml", "w") as part:
                part.write(f'<?xml version="1.0"?>{sheet_head}<worksheet xmlns="{main}"><sheetData>'.encode())
                for row in table:
                    if not isinstance(row, bytes):
                        row = ("<row>" + "".join(map(xlsx_cell, row)) + "</row>").encode()
                    part.write(row)
                part.write(b"</sheetData></worksheet>")


def table():
    found = list(rows())
    return [list(found[0])] + [list(row.values()) for row in found]


def gpx():
    points = "".join(
        f'<wpt lat="{row["lat"]}" lon="{row["lon"]}"><name>{escape(row["label"])}</name>'
        f'<cmt>{row["ref"]}</cmt><type>{row["kind"]}</type></wpt>' for row in rows())
    return ('<?xml version="1.0"?><gpx version="1.1" creator="a test" '
            f'xmlns="http://www.topografix.com/GPX/1/1">{points}</gpx>').encode()


GPX_MAPPING = MAPPING | {"key": "{cmt}", "fields": {
    "category": {"from": "type", "values": {"Camera": "camera_fixed", "Reader": "alpr"}},
    "name": [{"from": "name"}]}}


def zipped(path, entries):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            if isinstance(content, Path):
                file.write(content, name)
            else:
                file.writestr(name, content)


def shapefile(folder, crs=4326):
    """The parts of a Shapefile; its text has at most 254 bytes and its names 10."""
    folder.mkdir()
    frame(crs).to_file(folder / "list.shp", encoding="utf-8")
    return {part.name: part for part in folder.iterdir()}


def osm_elements():
    """Surveillance cameras as nodes, a way and a relation, between elements that are no devices."""
    nodes = [
        osmium.osm.mutable.Node(id=number + 1, version=2, location=(row["lon"], row["lat"]), tags={
            "man_made": "surveillance", "surveillance:type": "camera", "operator": row["label"]})
        for number, row in enumerate(rows())]
    nodes += [osmium.osm.mutable.Node(id=1000 + n, version=1, location=(7 + n / 100, 46.5),
                                      tags={"highway": "crossing"} if n % 2 else {})
              for n in range(4_000)]
    way = osmium.osm.mutable.Way(id=7, version=3, nodes=[1000, 1002, 1004], tags={
        "man_made": "surveillance", "name": "A fence"})
    road = osmium.osm.mutable.Way(id=8, version=3, nodes=[1000, 1001], tags={"highway": "primary"})
    relation = osmium.osm.mutable.Relation(id=9, version=1, members=[("n", 1001, "device"), ("n", 1003, "to")],
                                           tags={"enforcement": "maxspeed", "type": "enforcement"})
    return nodes, [way, road], [relation]


def osm(path, form=""):
    """`form` names a format of libosmium with its options; by default, that of the extension."""
    nodes, ways, relations = osm_elements()
    with osmium.SimpleWriter(osmium.io.File(str(path), form)) as writer:
        for node in nodes:
            writer.add_node(node)
        for way in ways:
            writer.add_way(way)
        for relation in relations:
            writer.add_relation(relation)


def geopackage(path, more=()):
    frame().to_file(path, layer="devices", driver="GPKG")
    connection = sqlite3.connect(path)
    for statement in more:
        connection.execute(statement)
    connection.commit()
    connection.close()


def compressed(name, content):
    return {"bz2": bz2.compress, "xz": lzma.compress}[name](content)
