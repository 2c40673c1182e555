internal import CGDAL
internal import Glibc

/// A column of a sheet.
struct SheetColumn {
  enum Kind { case text, number, flag, day, time }

  var name: String
  var type: Kind
}

/// Writes one sheet into the scratch file, row by row.
struct SheetWriter {
  private let columns: [SheetColumn]
  private var text: [UInt8] = []
  private var place: Int64 = 0
  /// The number of rows, including the header.
  private(set) var rows = 0
  /// The number of cells in the current row.
  private var column = 0

  private static let pieceSize = 64 << 10
  /// The style numbers of ``WorkbookParts``.
  private static let (bold, day, time) = (1, 2, 3)

  init(columns: [SheetColumn]) throws {
    self.columns = columns
    put("<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<worksheet xmlns=\"")
    put(WorkbookParts.main)
    // The header stays visible.
    put(
      "\"><sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" "
        + "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews>"
        + "<sheetFormatPr defaultColWidth=\"18\" defaultRowHeight=\"15\"/><sheetData>")
    try row { sheet in
      for column in columns { sheet.cell(text: column.name, style: Self.bold) }
    }
  }

  /// Completes the sheet. Returns its size in the scratch file.
  mutating func finish() throws -> Int64 {
    put("</sheetData><autoFilter ref=\"A1:\(Self.letters(columns.count))\(rows)\"/></worksheet>")
    try flush()
    return place
  }

  mutating func write(texts: [String]) throws {
    try row { sheet in
      for text in texts { sheet.cell(text: text) }
    }
  }

  mutating func write(_ feature: OGRFeatureH, hasPlace: Bool) throws {
    try row { sheet in
      var number: Int32 = 0
      for (place, column) in sheet.columns.enumerated() {
        if hasPlace, (1...2).contains(place) {
          let point = OGR_F_GetGeometryRef(feature)
          sheet.cell(number: point.map { place == 1 ? OGR_G_GetX($0, 0) : OGR_G_GetY($0, 0) })
        } else {
          sheet.cell(feature, number, column.type)
          number += 1
        }
      }
    }
  }

  private mutating func cell(
    _ feature: OGRFeatureH, _ number: Int32, _ type: SheetColumn.Kind
  ) {
    guard OGR_F_IsFieldSetAndNotNull(feature, number) != 0 else { return skip() }
    switch type {
    case .number where !Self.isNumber(feature, number): skip()
    case .number:
      // The text of a CSV table, or the shortest text of the number.
      let isText = OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, number)) == OFTString
      if isText {
        begin()
        put("<v>")
        put(Self.text(feature, number))
        put("</v></c>")
      } else {
        cell(number: OGR_F_GetFieldAsDouble(feature, number))
      }
    case .flag:
      begin(" t=\"b\"")
      put("<v>\(OGR_F_GetFieldAsInteger(feature, number))</v></c>")
    case .text: cell(text: Self.text(feature, number))
    case .day, .time:
      let style = type == .day ? Self.day : Self.time
      begin(" s=\"\(style)\"")
      put("<v>\(FieldTime(feature, number).serial)</v></c>")
    }
  }

  private mutating func cell(text: String, style: Int? = nil) {
    begin((style.map { " s=\"\($0)\"" } ?? "") + " t=\"inlineStr\"")
    put("<is><t xml:space=\"preserve\">")
    put(SheetText.escaped(text))
    put("</t></is></c>")
  }

  private mutating func cell(number: Double?) {
    guard let number, number.isFinite else { return skip() }
    let isWhole = number.rounded() == number && abs(number) < 9e15
    begin()
    put("<v>\(isWhole ? String(Int64(number)) : String(number))</v></c>")
  }

  private mutating func row(_ body: (inout SheetWriter) -> Void) throws {
    rows += 1
    column = 0
    put("<row r=\"\(rows)\">")
    body(&self)
    put("</row>")
    if text.count >= Self.pieceSize { try flush() }
  }

  /// An empty cell.
  private mutating func skip() { column += 1 }

  /// Begins a cell with its attributes. Some programs need its name.
  private mutating func begin(_ attributes: String = "") {
    put("<c r=\"\(Self.letters(column + 1))\(rows)\"\(attributes)>")
    column += 1
  }

  private mutating func put(_ more: String) { text.append(contentsOf: more.utf8) }

  private mutating func flush() throws {
    var start = 0
    while start < text.count {
      let count = text[start...].withUnsafeBytes {
        pwrite(ResultFiles.scratch, $0.baseAddress, $0.count, Int(place))
      }
      guard count > 0 else { throw Failure(sentence: "the scratch file cannot be written") }
      start += count
      place += Int64(count)
    }
    text.removeAll(keepingCapacity: true)
  }

  private static func text(_ feature: OGRFeatureH, _ number: Int32) -> String {
    OGR_F_GetFieldAsString(feature, number).map { String(cString: $0) } ?? ""
  }

  private static func isNumber(_ feature: OGRFeatureH, _ number: Int32) -> Bool {
    OGR_Fld_GetType(OGR_F_GetFieldDefnRef(feature, number)) != OFTString
      || Double(text(feature, number))?.isFinite == true
  }

  /// The letters of a column, counted from 1: A to Z, AA.
  private static func letters(_ number: Int) -> String {
    var (rest, letters) = (number, "")
    while rest > 0 {
      letters = String(UnicodeScalar(UInt8(65 + (rest - 1) % 26))) + letters
      rest = (rest - 1) / 26
    }
    return letters
  }
}

/// Text in XML.
enum SheetText {
  /// The maximum number of UTF-16 units in a cell.
  private static let maxLength = 32_767

  /// Without characters that XML forbids, and cut to the length that a cell may have.
  static func escaped(_ text: String) -> String {
    var (escaped, length) = ("", 0)
    for scalar in text.unicodeScalars {
      length += scalar.value > 0xFFFF ? 2 : 1
      if length > maxLength { break }
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "\t", "\n": escaped.unicodeScalars.append(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: continue
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
