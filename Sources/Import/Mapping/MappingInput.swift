internal import CharacterSets
internal import Projections
import WrittenValues

/// The part of a mapping with the options for reading a file.
struct MappingInput {
  var reading = ImportReader.Options()
  var mendsDoubleEncoding = false
  var explode: Column?

  init(_ node: MappingNode?) throws(InvalidMapping) {
    guard let node else { return }
    let members = try node.members([
      "format", "layer", "path", "separator", "encoding", "header_row", "crs", "repair", "explode",
    ])
    reading.format = try members["format"]?.choice(ImportFormat.self)
    reading.layer = try members["layer"]?.text()
    if let path = members["path"] { reading.path = try Self.pointer(path) }
    if let encoding = members["encoding"] {
      guard let known = TextEncoding(named: try encoding.text()) else {
        throw encoding.fault(
          "is none of \(TextEncoding.all.map(\.name).joined(separator: ", "))")
      }
      reading.encoding = known
    }
    if let header = members["header_row"] {
      guard let row = Int(try header.scalars().first ?? ""), (0...1_000).contains(row) else {
        throw header.fault("must be the number of a row, or 0 for a list without column names")
      }
      reading.headerRow = row
    }
    if let node = members["crs"] { reading.system = try Self.system(node) }
    if let separator = members["separator"] {
      let text = try separator.text()
      guard text == "tab" || text.utf8.count == 1, let byte = text == "tab" ? 9 : text.utf8.first
      else { throw separator.fault("must be one character or “tab”") }
      reading.separator = byte
    }
    if let repair = members["repair"] {
      guard try repair.text() == "double_encoded" else {
        throw repair.fault("must be double_encoded")
      }
      mendsDoubleEncoding = true
    }
    if let explode = members["explode"] { self.explode = .pointer(try Self.pointer(explode)) }
  }

  /// Nil for degrees.
  private static func system(_ node: MappingNode) throws(InvalidMapping) -> CoordinateSystem? {
    let text = try node.scalars().first ?? ""
    guard let short = CoordinateSystemName.short(text) else {
      throw node.fault("must be a code such as EPSG:25832")
    }
    if CoordinateSystemName.isDegrees(short) { return nil }
    guard let system = CoordinateSystem(short) else {
      throw node.fault("\(short) is no known coordinate system of positions on the Earth")
    }
    return system
  }

  private static func pointer(_ node: MappingNode) throws(InvalidMapping) -> [String] {
    let text = try node.text()
    if text.isEmpty { return [] }
    guard text.hasPrefix("/") else {
      throw node.fault("must be a JSON Pointer such as /data/items")
    }
    return Column.components(text)
  }
}
