import Import
import JSON
import Testing
import WrittenValues

@Suite struct OSMReadingTests {
  private let xml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <osm version="0.6">
      <bounds minlat="1" minlon="2" maxlat="3" maxlon="4"/>
      <node id="1" version="3" timestamp="2024-01-01T00:00:00Z" lat="52.5" lon="13.4" user="mapper" uid="7" changeset="9">
        <tag k="man_made" v="surveillance"/>
        <tag k="name" v="A &amp; B &#233;"/>
      </node>
      <node id="2" lat="1e1" lon="13.4"><tag k="a" v="b"/></node>
      <way id="3"><center lat="48.1" lon="11.5"/><nd ref="1"/><tag k="a" v="b"/></way>
      <way id="4"><bounds minlat="10" minlon="20" maxlat="12" maxlon="24"/></way>
      <way id="5"><nd ref="99"/><tag k="a" v="b"/></way>
      <node id="6" lat="1" lon="2" visible="false"/>
    </osm>
    """

  @Test func `elements of XML become rows, without the names of mappers`() throws {
    let rows = try rows(xml)

    #expect(rows.map(\.number) == [1, 2, 3, 4, 5, 6])
    #expect(rows[0].line == 4)
    #expect(rows[0].place == .point(longitude: 13.4, latitude: 52.5))
    #expect(
      JSONValue.object(rows[0].columns) == [
        "@type": "node", "@id": "1", "@version": "3", "@timestamp": "2024-01-01T00:00:00Z",
        "man_made": "surveillance", "name": "A & B é",
      ])
    #expect(rows[5].columns["@deleted"] == "yes")
  }

  @Test func `the position of a way is its centre, or the middle of its bounds`() throws {
    let rows = try rows(xml)

    #expect(rows[2].place == .pointOnShape(longitude: 11.5, latitude: 48.1))
    #expect(rows[3].place == .pointOnShape(longitude: 22, latitude: 11))
    guard case .unusable(let fault) = rows[4].place else {
      Issue.record("a way without a centre stands somewhere")
      return
    }
    #expect(fault.code == "no_place")
  }

  @Test func `the position of a way is the middle of its nodes, in the file or in the way`() throws
  {
    let rows = try rows(
      """
      <osm><node id="-1" lat="10" lon="20"/><node id="2" lat="12.1234567" lon="24"><tag k="a" v="b"/></node>
      <node id="3" lat="999" lon="20"/>
      <way id="5"><nd ref="-1"/><nd ref="3"/><nd ref="2"/></way>
      <way id="6"><nd ref="2"/></way>
      <relation id="7"><member type="node" ref="-1" role=""/><member type="way" ref="5" role=""/></relation>
      <way id="8"><nd ref="77" lat="1" lon="2"/><nd ref="78" lat="3" lon="4"/></way></osm>
      """)

    #expect(rows.map { $0.columns["@id"]?.stringValue } == ["2", "5", "6", "7", "8"])
    #expect(rows[1].place == .pointOnShape(longitude: 22, latitude: (10 + 12.1234567) / 2))
    #expect(rows[2].place == .pointOnShape(longitude: 24, latitude: 12.1234567))
    #expect(rows[3].place == .pointOnShape(longitude: 20, latitude: 10))
    #expect(rows[4].place == .pointOnShape(longitude: 3, latitude: 2))
  }

  @Test func `the position of an element of JSON is the middle of its geometry`() throws {
    let rows = try rows(
      """
      [{"type": "way", "id": 1, "geometry": [{"lat": 1, "lon": 2}, null, {"lat": 3, "lon": 4}]},
       {"type": "relation", "id": 2, "members": [{"type": "node", "lat": 5, "lon": 6},
        {"type": "way", "geometry": [{"lat": 7, "lon": 8}]}]}, {"type": "way", "id": 3, "geometry": 5}]
      """)

    #expect(rows[0].place == .pointOnShape(longitude: 3, latitude: 2))
    #expect(rows[1].place == .pointOnShape(longitude: 7, latitude: 6))
    guard case .unusable = rows[2].place else {
      Issue.record("a way without a centre has a position")
      return
    }
  }

  @Test func `a node without tags is a vertex and no row, except in a change file`() throws {
    let node = "<node id=\"1\" lat=\"1\" lon=\"2\"/>"
    #expect(try rows("<osm>\(node)</osm>").isEmpty)
    #expect(try rows("<osmChange><modify>\(node)</modify></osmChange>").count == 1)
  }

  @Test func `a coordinate that is not a plain number is not used`() throws {
    guard case .unusable(let fault) = try rows(xml)[1].place else {
      Issue.record("1e1 was taken for a latitude")
      return
    }
    #expect(fault.code == "not_a_coordinate")
  }

  @Test func `deleted elements of a change file are marked`() throws {
    let rows = try rows(
      """
      <osmChange><modify><node id="1" lat="1" lon="2"/></modify>
      <delete><node id="2" lat="1" lon="2"/></delete>
      <create><node id="3" lat="1" lon="2"/></create></osmChange>
      """)

    #expect(rows.map { $0.columns["@deleted"] != nil } == [false, true, false])
  }

  @Test(arguments: [
    #"{"version":0.6,"osm3s":{"copyright":"x"},"elements":[ELEMENTS]}"#, "[ELEMENTS]",
    "\u{FEFF} [\n ELEMENTS ]\n",
  ])
  func `elements of JSON become rows`(frame: String) throws {
    let elements = """
      {"type":"node","id":1,"lat":52.5,"lon":13.4,"version":3,"user":"mapper","uid":7,
       "tags":{"man_made":"surveillance"}},
      {"type":"way","id":3,"center":{"lat":48.1,"lon":11.5},"nodes":[1,2],"tags":{"a":"b"}},
      {"type":"relation","id":4,"bounds":{"minlat":10,"minlon":20,"maxlat":12,"maxlon":24}}
      """
    let text = frame.split(separator: "ELEMENTS", omittingEmptySubsequences: false)
      .joined(separator: elements)
    let rows = try rows(text)

    #expect(
      JSONValue.object(rows[0].columns)
        == ["man_made": "surveillance", "@type": "node", "@id": 1, "@version": 3])
    #expect(
      rows.map(\.place) == [
        .point(longitude: 13.4, latitude: 52.5), .pointOnShape(longitude: 11.5, latitude: 48.1),
        .pointOnShape(longitude: 22, latitude: 11),
      ])
  }

  @Test func `for XML of another format the error names the format`() {
    let (failure, rows) = failure("<rss><channel/></rss>")

    #expect(failure?.reason == "the XML begins with <rss>; it is a news feed, not a list")
    #expect(rows == 0)
  }

  @Test func `truncated XML keeps the rows before its end and states the position`() {
    let (failure, rows) = failure(
      "<osm>\n<way id='1'><center lat='1' lon='2'/></way>\n<node id='2' lat='1' lon")

    #expect(rows == 1)
    #expect(failure?.line == 3)
    #expect(failure?.row == 1)
  }
}

/// Ways in the JSON of overpass turbo, whose nodes follow.
@Suite struct OSMWaitingWayTests {
  private let elements = """
    {"version":0.6,"elements":[
     {"type":"way","id":7,"nodes":[1,2,9],"tags":{"man_made":"surveillance"}},
     {"type":"node","id":3,"lat":5,"lon":6,"tags":{"man_made":"surveillance"}},
     {"type":"way","id":8,"nodes":[],"tags":{"a":"b"}},
     {"type":"way","id":9,"nodes":[44],"tags":{"a":"b"}},
     {"type":"node","id":1,"lat":46.0,"lon":6.0},{"type":"node","id":2,"lat":46.2,"lon":6.4}]}
    """

  @Test func `a way is in the middle of its nodes, wherever the file has them`() throws {
    let found = try rows(elements, name: "export.json")
    let way = try #require(found.first { $0.columns["@id"] == 7 })
    #expect(way.place == .pointOnShape(longitude: 6.2, latitude: 46.1))
    #expect(way.number == 1)
    #expect(found.count == 6)
  }

  @Test func `a way whose nodes are not in the file has no place`() throws {
    for row in try rows(elements, name: "export.json")
    where row.columns["@id"] == 8 || row.columns["@id"] == 9 {
      guard case .unusable = row.place else {
        Issue.record("a place from nowhere")
        return
      }
    }
  }
}
