internal import Spawning
import WrittenValues

/// The sentences for files that `farol-formats` refused, and for failures of the program.
enum FormatRefusal {
  static let notInstalled = ImportFailure(
    "this format needs the program farol-formats and the libraries libgdal32 and libarchive13, which are "
      + "not installed; save the file as CSV or GeoJSON")
  /// Killed by a limit, or by itself.
  static let tooCostly = ImportFailure(
    "the file needs more time or memory to read than is allowed, or its content is damaged; save it as "
      + "CSV or GeoJSON")

  static let streetsTooCostly = ImportFailure(
    "the extract needs more time or memory to read than is allowed, or its content is damaged; download it "
      + "again, or cut a smaller area, for example with osmium extract")

  static func notStarted(_ error: ChildProcess.NotStarted) -> ImportFailure {
    ImportFailure("the program that reads this format cannot be started: \(error)")
  }

  static func failed(_ complaint: String) -> ImportFailure {
    ImportFailure("the program that reads this format failed: \(CleanText.excerpt(complaint))")
  }

  /// The sentence for a line of the program: a code and a detail, both not trusted.
  static func failure(_ line: String) -> ImportFailure {
    let parts = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let lists = parts.count > 1 ? lists(parts[1]) : []
    let detail = names(lists.joined(separator: ", "))
    let said = detail.isEmpty ? "" : ": \(detail)"
    let sentence: String? =
      switch parts.first {
      case "unknown":
        "the file contains no list in a format that is read; docs/how-to/imports.md names them"
      case "damaged": "the file is damaged or was cut off\(said)"
      case "incomplete": "the archive lacks parts of the Shapefile: \(detail)"
      case "unpacks_too_much": "the file unpacks to too many bytes"
      case "memory": "the file needs too much memory to read; save it as CSV or GeoJSON"
      case "coordinates":
        "the coordinates are in “\(detail)”, which cannot be converted to WGS 84 degrees"
      case "encoding":
        "the geometries are encoded as “\(detail)”, which is not read; save them as WKB"
      case "several":
        "the file has several lists (\(detail)); name one in the mapping (input.layer)"
      case "missing":
        "the file does not have the list of the mapping (input.layer); it has: \(detail)"
      case "empty": "the file has no rows"
      case "links":
        "the file has no list, only a link to another file (NetworkLink); download that file"
      case "ways":
        "the file has no waypoints, only tracks or routes, which are ways and not devices; save the places as waypoints"
      case "view": "“\(detail)” is a view, a stored query, which is not run; save it as a table"
      case "database":
        "the file is an SQLite database, but not a GeoPackage; save the list as GeoPackage or CSV"
      case "workbook":
        "workbooks in the format \(detail) are not read; save the list as XLSX or CSV"
      case "from_1904":
        "the workbook counts its days from 1904, so its dates would be four years off; save the list as CSV"
      case "formulas":
        "the workbook has formulas without their results; open it with a spreadsheet program and save it"
      case "nested": "the list in the archive is “\(detail)”; unpack it and send that file"
      case "encrypted": "the file is encrypted; save it without a password"
      case "places":
        "the ways and relations of the file have too many nodes; select the devices first, for example "
          + "with osmium tags-filter"
      case "not_pbf": "the file is not an OpenStreetMap extract in the format PBF (.osm.pbf)"
      case "area":
        "the extract has more streets than can be read at once; cut a smaller area, for example with osmium "
          + "extract"
      default: nil
      }
    var failure = sentence.map { ImportFailure($0) } ?? failed(line)
    if parts.first == "several" || parts.first == "missing" { failure.choices = lists }
    return failure
  }

  /// The names of the lists of a file, which the unit separator of ASCII separates; any other detail is one.
  private static func lists(_ text: Substring) -> [String] {
    text.split(separator: "\u{1F}").map { CleanText(String($0), limit: 300, lines: false).text }
      .filter { !$0.isEmpty }
  }

  /// At most 200 characters, without addresses.
  private static func names(_ text: String) -> String {
    var shown = ""
    for word in text.split(separator: " ") where shown.count < 200 {
      shown += (shown.isEmpty ? "" : " ") + CleanText.excerpt(String(word))
    }
    return shown
  }
}
