import CQL2
import Testing

struct FilterJSONTests {
  @Test(
    arguments: [
      ("a = 1", #"{"op":"=","args":[{"property":"a"},1]}"#),
      ("a <> 'x'", #"{"op":"<>","args":[{"property":"a"},"x"]}"#),
      (
        "a = 1 AND b = 1.5 AND c = TRUE",
        #"{"op":"and","args":[{"op":"=","args":[{"property":"a"},1]},{"op":"=","args":[{"property":"b"},1.5]},{"op":"=","args":[{"property":"c"},true]}]}"#
      ),
      (
        "NOT (a = 1 OR b = 2)",
        #"{"op":"not","args":[{"op":"or","args":[{"op":"=","args":[{"property":"a"},1]},{"op":"=","args":[{"property":"b"},2]}]}]}"#
      ),
      ("a LIKE 'x%'", #"{"op":"like","args":[{"property":"a"},"x%"]}"#),
      (
        "CASEI(a) = CASEI('x')",
        #"{"op":"=","args":[{"op":"casei","args":[{"property":"a"}]},{"op":"casei","args":["x"]}]}"#
      ),
      ("a BETWEEN 1 AND 2", #"{"op":"between","args":[{"property":"a"},1,2]}"#),
      ("a IN (1,2)", #"{"op":"in","args":[{"property":"a"},[1,2]]}"#),
      ("a IS NULL", #"{"op":"isNull","args":[{"property":"a"}]}"#),
      ("a > DATE('2024-01-01')", #"{"op":">","args":[{"property":"a"},{"date":"2024-01-01"}]}"#),
      (
        "a > TIMESTAMP('2024-01-01T00:00:00Z')",
        #"{"op":">","args":[{"property":"a"},{"timestamp":"2024-01-01T00:00:00Z"}]}"#
      ),
      (
        "T_DURING(a, INTERVAL('2024-01-01','..'))",
        #"{"op":"t_during","args":[{"property":"a"},{"interval":["2024-01-01",".."]}]}"#
      ),
      (
        "T_MEETS(INTERVAL(a,b), INTERVAL('..','2024-01-01T00:00:00Z'))",
        #"{"op":"t_meets","args":[{"interval":[{"property":"a"},{"property":"b"}]},{"interval":["..","2024-01-01T00:00:00Z"]}]}"#
      ),
      (
        "S_INTERSECTS(g, POINT(1 2))",
        #"{"op":"s_intersects","args":[{"property":"g"},{"type":"Point","coordinates":[1,2]}]}"#
      ),
      (
        "S_WITHIN(g, POLYGON((0 0,1 0,1 1,0 0)))",
        #"{"op":"s_within","args":[{"property":"g"},{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}]}"#
      ),
      (
        "S_INTERSECTS(g, MULTIPOLYGON(((0 0,1 0,1 1,0 0))))",
        #"{"op":"s_intersects","args":[{"property":"g"},{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}]}"#
      ),
      (
        "S_INTERSECTS(g, GEOMETRYCOLLECTION(POINT(1 2)))",
        #"{"op":"s_intersects","args":[{"property":"g"},{"type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[1,2]}]}]}"#
      ),
      (
        "S_INTERSECTS(g, BBOX(1,2,3,4))",
        #"{"op":"s_intersects","args":[{"property":"g"},{"bbox":[1,2,3,4]}]}"#
      ),
      ("A_CONTAINS(a, ('x','y'))", #"{"op":"a_contains","args":[{"property":"a"},["x","y"]]}"#),
      (
        "a = 1 + 2 * b",
        #"{"op":"=","args":[{"property":"a"},{"op":"+","args":[1,{"op":"*","args":[2,{"property":"b"}]}]}]}"#
      ),
      ("TRUE", "true"),
    ])
  func `JSON and text of one filter give the same expression`(text: String, json: String) throws {
    #expect(try Filter(cql2Text: text) == Filter(cql2JSON: json))
  }

  @Test(
    arguments: [
      "", "null", "1", "\"a = 1\"", "[]", "{}", #"{"op":"="}"#, #"{"op":"=","args":[1]}"#,
      #"{"op":"=","args":{}}"#,
      #"{"op":"and","args":[true]}"#, #"{"op":"not","args":[]}"#, #"{"op":"drop","args":[1,2]}"#,
      #"{"op":"=","args":[{"property":"a"},null]}"#, #"{"op":"=","args":[{"property":1},1]}"#,
      #"{"op":"=","args":[{"date":"2023-02-29"},1]}"#, #"{"op":"in","args":[{"property":"a"},1]}"#,
      #"{"op":"between","args":[1,2]}"#,
      #"{"op":"t_after","args":[{"property":"a"},{"interval":["x",".."]}]}"#,
      #"{"op":"t_after","args":[{"property":"a"},{"interval":[".."]}]}"#,
      #"{"op":"s_intersects","args":[{"property":"g"},{"type":"Circle","coordinates":[1,2]}]}"#,
      #"{"op":"s_intersects","args":[{"property":"g"},{"type":"Point","coordinates":[1]}]}"#,
      #"{"op":"s_intersects","args":[{"property":"g"},{"type":"Polygon","coordinates":[[[0,0],[1,1],[0,0]]]}]}"#,
      #"{"op":"s_intersects","args":[{"property":"g"},{"type":"GeometryCollection","geometries":[]}]}"#,
      #"{"op":"s_intersects","args":[{"property":"g"},{"bbox":[1,2,3,"x"]}]}"#,
      #"{"op":"=","args":[{"op":"upper","args":["x"]},"X"]}"#,
    ])
  func `invalid JSON filters are refused`(json: String) {
    #expect(throws: InvalidFilter.self) { try Filter(cql2JSON: json) }
  }

  @Test func `nesting depth and number of parts are limited`() {
    func nested(_ depth: Int) -> String {
      String(repeating: #"{"op":"not","args":["#, count: depth) + "true"
        + String(repeating: "]}", count: depth)
    }
    #expect(throws: Never.self) { try Filter(cql2JSON: nested(24)) }
    #expect(throws: InvalidFilter.self) { try Filter(cql2JSON: nested(25)) }
    let many =
      #"{"op":"in","args":[{"property":"a"},["# + (0..<600).map { "\($0)" }.joined(separator: ",")
      + "]]}"
    #expect(throws: InvalidFilter.self) { try Filter(cql2JSON: many) }
  }
}
