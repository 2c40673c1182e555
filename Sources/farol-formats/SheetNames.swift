internal import CGDAL

/// The hidden sheets of a workbook, which the author does not show. GDAL lists them like the others.
enum SheetNames {
  private static let maxSize = 1 << 20

  /// The names of the hidden sheets of an XLSX file.
  static func hidden(inWorkbookAt path: String) -> Set<String> {
    let inside = "/vsizip/{\(path)}/xl/workbook.xml"
    guard let file = VSIFOpenL(inside, "rb") else { return [] }
    defer { VSIFCloseL(file) }
    var bytes = [UInt8](repeating: 0, count: maxSize)
    let count = bytes.withUnsafeMutableBytes { VSIFReadL($0.baseAddress, 1, $0.count, file) }
    let text = String(decoding: bytes.prefix(count), as: UTF8.self)
    var hidden: Set<String> = []
    for sheet in text.components(after: "<sheet ") {
      let element = sheet.prefix { $0 != ">" }
      guard let state = attribute("state", of: element), state != "visible",
        let name = attribute("name", of: element)
      else { continue }
      hidden.insert(plain(name))
    }
    return hidden
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
