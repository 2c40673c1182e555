internal import CharacterSets
internal import JSON

/// The single argument, in JSON.
struct Options {
  /// A test of the tags of OpenStreetMap elements.
  struct TagTest {
    var key: String
    /// In lower case. Empty: any value passes.
    var texts: [String]
  }

  /// The keys of tags that select ways and nodes, and the keys whose values are written.
  struct StreetKeys {
    var ways: [String]
    var nodes: [String]
    var kept: [String]
  }

  /// The name of the file, whose extension matters.
  var name = ""
  /// The list to read, if the file has several.
  var layer: String?
  /// The number of the row of a sheet with the names of the columns, from 1; 0 without such a row.
  var headerRow = 1
  /// The encoding of the texts of a Shapefile; nil if the file states it.
  var encoding: TextEncoding?
  /// The coordinate system of a file that states none, such as `EPSG:25832`; nil for degrees.
  var system: String?
  /// Seconds of processor time.
  var seconds: UInt = 60
  /// The format to write; nil to read a list.
  var target: Conversion.Target?
  /// The columns of a CSV table that contain numbers.
  var numbers: [String] = []
  /// The columns of a Parquet file, each with the name of its kind.
  var columns: [(String, String)] = []
  /// Facts about the table, for the last sheet of a workbook and the metadata of a Parquet file.
  var about: [(String, String)] = []
  /// The column of a Parquet file from which some rows are left out; nil to read a list.
  var filtered: String?
  /// Only elements that pass one of these tests are written.
  var tests: [TagTest] = []
  /// The keys of the ways and nodes that make a graph of streets; nil to read a list.
  var streets: StreetKeys?

  init(_ arguments: [String]) throws {
    guard arguments.count == 1, let json = try? JSONValue(parsing: Array(arguments[0].utf8)),
      json.objectValue != nil
    else {
      throw Failure(sentence: "usage: farol-formats OPTIONS < FILE, with the options in JSON")
    }
    name = json["name"]?.stringValue ?? ""
    layer = json["layer"]?.stringValue
    headerRow = max(0, json["header"]?.intValue ?? 1)
    encoding = json["encoding"]?.stringValue.flatMap(TextEncoding.init(named:))
    system = json["crs"]?.stringValue
    if let seconds = json["seconds"]?.intValue {
      guard (1...100_000).contains(seconds) else {
        throw Failure(sentence: "seconds must be between 1 and 100000")
      }
      self.seconds = UInt(seconds)
    }
    if let name = json["to"]?.stringValue {
      guard let target = Conversion.Target(rawValue: name) else {
        throw Failure(sentence: "the format \(name) cannot be written")
      }
      self.target = target
    }
    numbers = (json["numbers"]?.arrayValue ?? []).compactMap(\.stringValue)
    columns = (json["columns"]?.objectValue?.members ?? []).map {
      ($0.key, $0.value.stringValue ?? "")
    }
    about = (json["about"]?.objectValue?.members ?? []).map { ($0.key, $0.value.stringValue ?? "") }
    filtered = json["without"]?.stringValue
    tests = (json["tests"]?.arrayValue ?? []).compactMap { test in
      guard let key = test["key"]?.stringValue else { return nil }
      return TagTest(
        key: key, texts: (test["texts"]?.arrayValue ?? []).compactMap(\.stringValue))
    }
    streets = json["streets"].map { keys in
      func list(_ name: String) -> [String] {
        (keys[name]?.arrayValue ?? []).compactMap(\.stringValue)
      }
      return StreetKeys(ways: list("ways"), nodes: list("nodes"), kept: list("kept"))
    }
  }
}
