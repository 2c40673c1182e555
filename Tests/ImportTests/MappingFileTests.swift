import Import
import JSON
import Testing

@Suite struct MappingFileTests {
  private let source =
    #""source": {"code": "t", "name": "T", "licence": "CC0-1.0", "attribution": "-"}"#

  private func fault(_ text: String) -> String? {
    do {
      _ = try ImportMapping(JSONValue(parsing: Array(text.utf8)))
      return nil
    } catch let error as InvalidMapping {
      return error.key
    } catch {
      return "\(error)"
    }
  }

  private func fieldFault(_ fields: String) -> String? {
    fault(#"{\#(source), "fields": {"category": "webcam", "name": "n", \#(fields)}}"#)
  }

  @Test func `a minimal mapping is read`() {
    #expect(fault(#"{\#(source), "fields": {"category": "webcam", "name": "n"}}"#) == nil)
  }

  @Test(arguments: [
    ("{}", "source"),
    (#"{"source": {"code": "T"}}"#, "source.name"),
    (#"{"sorce": {}}"#, "sorce"),
    ("[]", ""),
  ])
  func `the error names a missing or unknown key`(text: String, key: String) {
    if text.contains(#""T""#) {
      #expect(fault(text) != nil)
    } else {
      #expect(fault(text) == key)
    }
  }

  @Test func `the error about a mistyped key has the nearest ones`() {
    func reason(_ field: String) -> String {
      let text = #"{\#(source), "fields": {"category": "webcam", "name": "n", "\#(field)": "x"}}"#
      do {
        _ = try ImportMapping(JSONValue(parsing: Array(text.utf8)))
        return ""
      } catch { return "\(error)" }
    }
    #expect(reason("longitud").contains("did you mean “longitude”"))
    #expect(reason("Operater").contains("“operator”"))
    #expect(reason("zzzzzz").contains("known are category"))
  }

  @Test func `the code of a source must be valid in a URL`() {
    let text = source.split(separator: #""t""#).joined(separator: #""Über uns""#)

    #expect(fault("{\(text)}") == "source.code")
  }

  @Test(arguments: [
    (#""colour": "c""#, "fields.colour"),
    (#""height": {"from": "h", "unit": "parsec"}"#, "fields.height.unit"),
    (#""height": [{"from": "h"}, {"form": "h"}]"#, "fields.height[1].form"),
    (#""height": {"from": "h", "value": 1}"#, "fields.height"),
    (#""zone": {"from": "z", "values": {"a": {"valeu": "b"}}}"#, "fields.zone.values.a.valeu"),
    (
      #""zone": {"from": "z", "patterns": [{"contians": "a"}]}"#, "fields.zone.patterns[0].contians"
    ),
    (#""zone": {"from": "z", "otherwise": "guess"}"#, "fields.zone.otherwise"),
    (#""zone": {"value": "a", "when": {"colum": "a"}}"#, "fields.zone.when.colum"),
    (#""zone": {"value": "a", "when": {"column": "a"}}"#, "fields.zone.when"),
    (#""zone": {"value": "a", "when": {"is": "b"}}"#, "fields.zone.when.is"),
    (#""observed_on": {"from": "d", "formats": ["dd.MM"]}"#, "fields.observed_on.formats"),
    (#""description": {"template": "{a"}"#, "fields.description.template"),
    (#""description": {"template": "a]"}"#, "fields.description.template"),
    (#""longitude": "x""#, "fields"),
  ])
  func `an error in a rule names its key`(field: String, key: String) {
    #expect(fieldFault(field)?.hasPrefix(key) == true)
  }

  @Test(arguments: [
    (#""input": {"format": "xls"}"#, "input.format"),
    (#""input": {"encoding": "ebcdic"}"#, "input.encoding"),
    (#""input": {"separator": "::"}"#, "input.separator"),
    (#""input": {"explode": "cameras"}"#, "input.explode"),
    (#""bounds": [1, 2, 0, 3]"#, "bounds"), (#""match_within": 0"#, "match_within"),
    (#""match_within": 100.1"#, "match_within"), (#""match_within": "10""#, "match_within"),
    (#""position": "stay""#, "position"),
    (#""keep": "some""#, "keep"),
    (#""skip": [{"when": {"column": "a", "present": true}}]"#, "skip[0]"),
    (#""also_known_as": [{"namespace": "osm"}]"#, "also_known_as[0]"),
    (#""extends": "../osm.json""#, "extends"),
    (#""extends": "osm.json""#, "extends"),
  ])
  func `an error outside the fields names its key`(more: String, key: String) {
    #expect(fault(#"{\#(source), \#(more), "fields": {"category": "webcam", "name": "n"}}"#) == key)
  }

  @Test func `a mapping extends another one key by key`() throws {
    let parent: JSONValue = [
      "source": ["code": "a", "name": "A", "licence": "L", "attribution": "-"],
      "fields": ["category": "webcam", "name": "n"],
    ]
    let child: JSONValue = ["extends": "parent.json", "source": ["code": "b"]]

    let mapping = try ImportMapping(child) { name in
      name == "parent.json" ? parent : nil
    }

    #expect(mapping.source.code == "b")
    #expect(mapping.source.name == "A")
  }

  @Test func `a mapping that extends itself is refused`() {
    #expect(throws: InvalidMapping.self) {
      try ImportMapping(["extends": "a.json"]) { _ in ["extends": "a.json"] }
    }
  }

  @Test(arguments: [
    "osm", "osm-webcams-world", "osm-surveillance-switzerland", "osm-surveillance-switzerland-csv",
    "us-alpr", "nyc-wifi-hotspots", "nyc-linknyc", "berlin-traffic-detectors", "berlin-eco-counter",
    "berlin-telraam",
  ])
  func `every shipped mapping is valid`(name: String) throws {
    #expect(try seedMapping(name).source.attribution.isEmpty == false)
  }

  @Test func `every list of the sample names the same source as its mapping`() throws {
    for entry in try seedFile("sample/sample.json").arrayValue ?? [] {
      let name = try #require(entry["mapping"]?.stringValue)
      let source = try seedMapping(name).source
      #expect(source.code == entry["source"]?.stringValue)
      #expect(source.licence == entry["licence"]?.stringValue)
      #expect(source.attribution == entry["attribution"]?.stringValue)
      #expect(source.isShareAlike == entry["share_alike"]?.boolValue)
    }
  }
}
