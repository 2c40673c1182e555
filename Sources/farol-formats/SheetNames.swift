internal import CGDAL

/// Facts about an XLSX workbook that GDAL does not report: its hidden sheets, which GDAL lists like the others, the day
/// from which it counts, and formulas without results, whose cells GDAL reads as empty.
enum SheetNames {
  private static let maxSize = 1 << 20

  /// The names of the hidden sheets of an XLSX file.
  static func hidden(inWorkbookAt path: String) -> Set<String> {
    var hidden: Set<String> = []
    for sheet in text(inWorkbookAt: path).components(after: "<sheet ") {
      let element = sheet.prefix { $0 != ">" }
      guard let state = attribute("state", of: element), state != "visible",
        let name = attribute("name", of: element)
      else { continue }
      hidden.insert(plain(name))
    }
    return hidden
  }

  /// Whether its days are counted from 1904, as old versions of Excel for the Mac did.
  static func countsFrom1904(inWorkbookAt path: String) -> Bool {
    text(inWorkbookAt: path).components(after: "<workbookPr ").contains { properties in
      let value = attribute("date1904", of: properties.prefix { $0 != ">" })
      return value == "1" || value == "true"
    }
  }

  private static let maxSheets = 20
  /// The number of bytes of a sheet that are searched for formulas.
  private static let maxLooked = 1 << 17

  /// Whether a cell at the beginning of a sheet has a formula but no result, as programs write that do not calculate.
  /// The result of a text may be empty.
  static func lacksResults(inWorkbookAt path: String) -> Bool {
    (1...maxSheets).contains { number in
      text(of: "worksheets/sheet\(number).xml", upTo: maxLooked, inWorkbookAt: path)
        .components(after: "<c ")
        .contains { rest in
          guard let end = rest.firstRange(of: "</c>") else { return false }
          let cell = rest[..<end.lowerBound]
          guard cell.contains("<f"), !cell.contains("t=\"str\"") else { return false }
          return !cell.contains("<v")
            || ["<v></v>", "<v/>", "<v />"].contains { cell.contains($0) }
        }
    }
  }

  private static func text(
    of part: String = "workbook.xml", upTo maxSize: Int = maxSize, inWorkbookAt path: String
  ) -> String {
    let inside = "/vsizip/{\(path)}/xl/\(part)"
    guard let file = VSIFOpenL(inside, "rb") else { return "" }
    defer { VSIFCloseL(file) }
    var bytes = [UInt8](repeating: 0, count: maxSize)
    let count = bytes.withUnsafeMutableBytes { VSIFReadL($0.baseAddress, 1, $0.count, file) }
    return String(decoding: bytes.prefix(count), as: UTF8.self)
  }

  private static func attribute(_ name: String, of element: Substring) -> Substring? {
    guard let start = element.firstRange(of: " \(name)=\"") ?? element.firstRange(of: "\(name)=\"")
    else { return nil }
    return element[start.upperBound...].prefix { $0 != "\"" }
  }

  private static func plain(_ text: Substring) -> String {
    String(text).replacing("&lt;", with: "<").replacing("&gt;", with: ">")
      .replacing("&quot;", with: "\"").replacing("&apos;", with: "'").replacing("&amp;", with: "&")
  }
}

extension String {
  /// The parts of the text behind each `mark`.
  fileprivate func components(after mark: String) -> [Substring] {
    ranges(of: mark).map { self[$0.upperBound...] }
  }
}
