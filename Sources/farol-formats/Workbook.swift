internal import CArchive
internal import CGDAL
internal import Glibc

/// A workbook (XLSX, ECMA-376) with one table and a sheet about it. libarchive writes the package. The rows
/// are written one by one, because a library that builds a workbook would hold it in memory or need further
/// files.
struct Workbook {
  /// The columns of a CSV table that contain numbers.
  let numbers: [String]

  /// The rows of a sheet, including the header (ECMA-376 leaves it to programs; this is Excel's limit).
  static let maxRows = 1_048_576

  func write(_ source: SourceTable, about: [(String, String)]) throws {
    let package = try PackageWriter()
    var sheets: [String] = []
    let columns = source.fields.map { field in
      let name = OGR_Fld_GetNameRef(field).map { String(cString: $0) } ?? ""
      return SheetColumn(name: name, type: type(of: field, name: name))
    }
    // Points have two further columns after the first, as in CSV.
    let hasPlace = OGR_L_GetGeomType(source.layer) != wkbNone
    let place = ["longitude", "latitude"].map { SheetColumn(name: $0, type: .number) }
    let all = hasPlace ? columns.prefix(1) + place + columns.dropFirst() : columns[...]
    var sheet = try SheetWriter(columns: Array(all))
    func end() throws {
      let number = sheets.count + 1
      try package.add("xl/worksheets/sheet\(number).xml", content: sheet.finish())
      sheets.append(number == 1 ? source.name : "\(source.name) (\(number))")
    }
    try source.forEach { feature in
      if sheet.rows == Self.maxRows {
        try end()
        sheet = try SheetWriter(columns: Array(all))
      }
      try sheet.write(feature, hasPlace: hasPlace)
    }
    try end()
    if !about.isEmpty {
      var sheet = try SheetWriter(columns: [
        SheetColumn(name: "about", type: .text), SheetColumn(name: "value", type: .text),
      ])
      for (name, value) in about { try sheet.write(texts: [name, value]) }
      try package.add("xl/worksheets/sheet\(sheets.count + 1).xml", content: sheet.finish())
      sheets.append("about")
    }
    for (name, text) in WorkbookParts(sheets: sheets).all { try package.add(name, text: text) }
    try package.close()
  }

  private func type(of field: OGRFieldDefnH, name: String) -> SheetColumn.Kind {
    switch OGR_Fld_GetType(field) {
    case OFTInteger where OGR_Fld_GetSubType(field) == OFSTBoolean: .flag
    case OFTInteger, OFTInteger64, OFTReal: .number
    case OFTDate: .day
    case OFTDateTime: .time
    default: numbers.contains(name) ? .number : .text
    }
  }
}

/// The fixed parts of a workbook.
struct WorkbookParts {
  let sheets: [String]

  private static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"
  private static let package = "http://schemas.openxmlformats.org/package/2006"
  private static let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
  static let main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
  private static let kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml"

  var all: [(String, String)] {
    [
      ("[Content_Types].xml", Self.head + contentTypes), ("_rels/.rels", Self.head + links),
      ("xl/workbook.xml", Self.head + workbook),
      ("xl/_rels/workbook.xml.rels", Self.head + parts), ("xl/styles.xml", Self.head + Self.styles),
    ]
  }

  private var contentTypes: String {
    let sheets = sheets.indices.map { number in
      "<Override PartName=\"/xl/worksheets/sheet\(number + 1).xml\" "
        + "ContentType=\"\(Self.kinds).worksheet+xml\"/>"
    }.joined()
    return "<Types xmlns=\"\(Self.package)/content-types\"><Default Extension=\"rels\" "
      + "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
      + "<Override PartName=\"/xl/workbook.xml\" ContentType=\"\(Self.kinds).sheet.main+xml\"/>"
      + "<Override PartName=\"/xl/styles.xml\" ContentType=\"\(Self.kinds).styles+xml\"/>"
      + "\(sheets)</Types>"
  }

  private var links: String {
    "<Relationships xmlns=\"\(Self.package)/relationships\"><Relationship Id=\"rId1\" "
      + "Type=\"\(Self.office)/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>"
  }

  private var workbook: String {
    let sheets = sheets.enumerated().map { number, name in
      "<sheet name=\"\(SheetText.escaped(String(name.prefix(31))))\" sheetId=\"\(number + 1)\" "
        + "r:id=\"rId\(number + 1)\"/>"
    }.joined()
    return "<workbook xmlns=\"\(Self.main)\" xmlns:r=\"\(Self.office)\"><sheets>\(sheets)</sheets>"
      + "</workbook>"
  }

  private var parts: String {
    let sheets = sheets.indices.map { number in
      "<Relationship Id=\"rId\(number + 1)\" Type=\"\(Self.office)/worksheet\" "
        + "Target=\"worksheets/sheet\(number + 1).xml\"/>"
    }.joined()
    return "<Relationships xmlns=\"\(Self.package)/relationships\">\(sheets)"
      + "<Relationship Id=\"rId\(self.sheets.count + 1)\" Type=\"\(Self.office)/styles\" "
      + "Target=\"styles.xml\"/></Relationships>"
  }

  /// The styles of ``SheetColumn/Kind``: plain, bold, day and time.
  private static let styles =
    "<styleSheet xmlns=\"\(main)\"><numFmts count=\"2\"><numFmt numFmtId=\"164\" "
    + "formatCode=\"yyyy\\-mm\\-dd\"/><numFmt numFmtId=\"165\" "
    + "formatCode=\"yyyy\\-mm\\-dd\\ hh:mm:ss\"/></numFmts><fonts count=\"2\"><font><sz val=\"11\"/>"
    + "<name val=\"Calibri\"/></font><font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
    + "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill "
    + "patternType=\"gray125\"/></fill></fills><borders count=\"1\"><border><left/><right/><top/>"
    + "<bottom/><diagonal/></border></borders><cellStyleXfs count=\"1\"><xf/></cellStyleXfs>"
    + "<cellXfs count=\"4\"><xf/><xf fontId=\"1\" applyFont=\"1\"/><xf numFmtId=\"164\" "
    + "applyNumberFormat=\"1\"/><xf numFmtId=\"165\" applyNumberFormat=\"1\"/></cellXfs></styleSheet>"
}

/// Writes the files of a package to standard output, compressed.
final class PackageWriter {
  private let archive: OpaquePointer

  init() throws {
    guard let archive = archive_write_new() else { throw Failure(sentence: "no memory") }
    self.archive = archive
    archive_write_set_format_zip(archive)
    archive_write_zip_set_compression_deflate(archive)
    archive_write_set_bytes_in_last_block(archive, 1)
    let opened = archive_write_open(
      archive, nil, nil,
      { _, _, bytes, count in bytes.map { write(STDOUT_FILENO, $0, count) } ?? -1 }, nil)
    guard opened == ARCHIVE_OK else { throw fault }
  }

  deinit { archive_write_free(archive) }

  func add(_ name: String, text: String) throws {
    let bytes = Array(text.utf8)
    try begin(name, size: Int64(bytes.count))
    try bytes.withUnsafeBytes { try put($0) }
  }

  /// Adds the first `size` bytes of the scratch file.
  func add(_ name: String, content size: Int64) throws {
    try begin(name, size: size)
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    var place: Int64 = 0
    while place < size {
      let wanted = Int(min(Int64(piece.count), size - place))
      let count = pread(ResultFiles.scratch, &piece, wanted, Int(place))
      guard count > 0 else { throw Failure(sentence: "the scratch file cannot be read") }
      try piece.withUnsafeBytes { try put(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
      place += Int64(count)
    }
  }

  func close() throws {
    guard archive_write_close(archive) == ARCHIVE_OK else { throw fault }
  }

  private func begin(_ name: String, size: Int64) throws {
    guard let entry = archive_entry_new() else { throw Failure(sentence: "no memory") }
    defer { archive_entry_free(entry) }
    archive_entry_set_pathname(entry, name)
    archive_entry_set_size(entry, size)
    archive_entry_set_filetype(entry, 0o100000)
    archive_entry_set_perm(entry, 0o644)
    // The first moment that a ZIP can state, so that the same devices give the same file.
    archive_entry_set_mtime(entry, 315_619_200, 0)
    guard archive_write_header(archive, entry) == ARCHIVE_OK else { throw fault }
  }

  private func put(_ bytes: UnsafeRawBufferPointer) throws {
    guard archive_write_data(archive, bytes.baseAddress, bytes.count) == bytes.count else {
      throw fault
    }
  }

  private var fault: Failure {
    Failure(
      sentence: archive_error_string(archive).map { String(cString: $0) }
        ?? "the workbook cannot be written")
  }
}
