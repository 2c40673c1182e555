import JSON
import WrittenValues

/// Identifies a file that is not a list in a supported format, and advises what to do.
enum OtherContent {
  /// A list whose rows have no names for their values.
  static let nameless =
    "its rows are lists without names for their values; save the list as CSV, or as JSON with an object for each row"

  /// The beginnings of files, with advice for each.
  private static let magics: [(start: [UInt8], reason: String)] = [
    (
      [0xD0, 0xCF, 0x11, 0xE0],
      "workbooks in the format XLS are not read; save the list as XLSX or CSV"
    ),
    (Array("%PDF".utf8), "the file is a PDF document; save the list as XLSX or CSV"),
    ([0x37, 0x7A, 0xBC, 0xAF], "the file is packed with 7-Zip; unpack it, or pack it as ZIP"),
    (Array("Rar!".utf8), "the file is a RAR archive; unpack it, or pack it as ZIP"),
    ([0x50, 0x4B, 0x05, 0x06], "the archive is empty"),
    ([0x1F, 0x8B], "the file is packed twice; unpack it once"),
    ([0x00, 0x00, 0x27, 0x0A], shapefile),
    (Array("!table".utf8), mapInfo), (Array("Version ".utf8), mapInfo),
    ([0xFF, 0xD8, 0xFF], picture), ([0x89, 0x50, 0x4E, 0x47], picture),
    (
      Array("ARROW1".utf8),
      "the file is a table of Apache Arrow (Feather); save it as Parquet or CSV"
    ),
    (Array("Obj\u{1}".utf8), "the file is in the format Avro; save it as Parquet or CSV"),
    (Array("$GP".utf8), receiver), (Array("$GN".utf8), receiver),
    (Array("0\nSECTION".utf8), drawing), (Array("0\r\nSECTION".utf8), drawing),
    (
      Array("{|".utf8),
      "the file is a table of a wiki; open its page with a spreadsheet program and save it as CSV"
    ),
    ([0xFF, 0xFE, 0, 0], utf32), ([0, 0, 0xFE, 0xFF], utf32),
  ]
  private static let shapefile =
    "the file is one of several of a Shapefile; pack all of them (.shp, .shx, .dbf, .prj) as one ZIP"
  private static let mapInfo = "the file is a MapInfo table; save it as GeoPackage or GeoJSON"
  private static let receiver =
    "the file is the log of a receiver (NMEA), not a list; convert its waypoints to GPX"
  private static let drawing =
    "the file is a drawing (DXF); save its points as GeoPackage or GeoJSON"
  private static let picture = "the file is a picture, not a list"
  private static let utf32 = "the text is UTF-32; save it as UTF-8"

  /// The reason why the beginning of a file cannot be a list; nil if it may be one. `name` is in lower case.
  static func reason(_ head: ArraySlice<UInt8>, name: String) -> String? {
    for magic in magics where head.starts(with: magic.start) { return magic.reason }
    if head.dropFirst(257).starts(with: Array("ustar".utf8)) {
      return "the file is a tar archive; unpack it, or pack it as ZIP"
    }
    let start = String(decoding: head.prefix(1_024), as: UTF8.self).lowercased()
    if isPage(start) {
      let text = String(decoding: head, as: UTF8.self).lowercased()
      return text.contains("<table")
        ? "the file is a web page; open it with a spreadsheet program and save the table as XLSX or CSV"
        : "the file is a web page, not a list; perhaps the site asks for a sign-in, or the address "
          + "belongs to a page"
    }
    if ["insert into ", "create table ", "-- ", "begin;"].contains(where: start.hasPrefix),
      start.contains("insert into ") || start.contains("create table ")
    {
      return "the file is a script for a database; export the table as CSV"
    }
    if [".yaml", ".yml"].contains(where: name.hasSuffix) {
      return "YAML is not read; save the list as JSON or CSV"
    }
    if name.hasSuffix(".dbf"), head.prefix(1_024).contains(0) { return shapefile }
    if head.prefix(1_024).contains(0) { return "the file is not text" }
    return isScript(head, start, name: name)
      ? "the file is no plain JSON: it begins with “\(CleanText.excerpt(String(start.prefix(30))))”; "
        + "it must begin with [ or {" : nil
  }

  private static func isPage(_ start: String) -> Bool {
    if ["<!doctype html", "<html", "<head", "<body"].contains(where: start.hasPrefix) {
      return true
    }
    return start.hasPrefix("<?xml") && (start.contains("<html") || start.contains("<!doctype html"))
  }

  /// Whether the file is a program, or JSON with more around it: `callback([{…`, `var cameras = [{…`, `// a comment`.
  private static func isScript(_ head: ArraySlice<UInt8>, _ start: String, name: String) -> Bool {
    guard let first = head.first, !"[{<\u{1E}".utf8.contains(first) else { return false }
    let line = start.prefix { !$0.isNewline }
    if line.contains("([{\"") || line.contains("= [{\"") || line.contains("=[{\"") { return true }
    return [".json", ".geojson", ".js"].contains(where: name.hasSuffix)
      && ["//", "/*", "var ", "let ", "const ", "callback("].contains(where: start.hasPrefix)
  }

  /// The reason why a JSON object contains no list: it is an error of a service, or its rows have no names.
  static func reason(_ outline: JSONOutline, _ head: ArraySlice<UInt8>) -> String? {
    for name in ["error", "errors", "exceptions", "fault", "message", "detail"] {
      guard let value = outline.members[name], let words = words(value) else { continue }
      return "the file is a message of a service instead of a list: \(words)"
    }
    let compact = head.prefix(65_536).filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    return compact.firstRange(of: Array(":[[".utf8)) == nil
      ? nil : "the JSON has no list of objects: " + nameless
  }

  /// Whether the only list of a document is a list of a service's errors.
  static func isMessage(_ path: [String]) -> Bool { path == ["errors"] || path == ["error"] }

  private static func words(_ value: JSONValue) -> String? {
    let text =
      value.stringValue ?? value["message"]?.stringValue ?? value["info"]?.stringValue
      ?? value[0].flatMap { $0.stringValue ?? $0["message"]?.stringValue }
    return text.map { CleanText.excerpt($0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The reason why a document of Socrata with `meta` and rows without names is not read.
  static func socrata(_ head: ArraySlice<UInt8>) -> String? {
    let start = head.prefix(200).filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
    return start.starts(with: Array(#"{"meta":{"view":{"#.utf8))
      ? "the file is the raw JSON of a Socrata portal, whose rows have no names; download the list as CSV or GeoJSON"
      : nil
  }

  /// Advice for an XML document whose first element has this name.
  static func advice(forRoot name: String) -> String {
    switch name {
    case "Workbook": "it is a workbook of an old program; save the list as XLSX or CSV"
    case "FeatureCollection":
      "it is GML; ask the service for GeoJSON (outputFormat=application/json), or save it as GeoPackage"
    case "ServiceExceptionReport", "ExceptionReport": "it is an error message of a service"
    case "rss", "feed": "it is a news feed, not a list"
    default: "of XML only OpenStreetMap's, KML and GPX are read; save the list as CSV or GeoJSON"
    }
  }
}
