import JSON

/// The location of a value in a row.
enum Column: Hashable, Sendable {
  /// A column by name.
  case name(String)
  /// A JSON Pointer (RFC 6901) into the row.
  case pointer([String])
  /// A field that has already been mapped, or `category_name`.
  case mapped(String)

  /// - Parameter text: a name, `/a/pointer`, or `:field`.
  init(_ text: String) {
    if text.hasPrefix("/") {
      self = .pointer(Self.components(text))
    } else if text.hasPrefix(":") {
      self = .mapped(String(text.dropFirst()))
    } else {
      self = .name(text)
    }
  }

  /// The components of a JSON Pointer.
  static func components(_ pointer: String) -> [String] {
    pointer.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { part in
      part.split(separator: "~1", omittingEmptySubsequences: false).joined(separator: "/")
        .split(separator: "~0", omittingEmptySubsequences: false).joined(separator: "~")
    }
  }

  /// The value at this location in `columns`.
  func value(in columns: JSONObject) -> JSONValue? {
    switch self {
    case .name(let name): return columns[name]
    case .pointer(let components):
      var value: JSONValue? = components.first.flatMap { columns[$0] }
      for component in components.dropFirst() {
        value = value?[component] ?? Int(component).flatMap { value?[$0] }
      }
      return value
    case .mapped: return nil
    }
  }

  /// The top-level column that contains the location.
  var topName: String? {
    switch self {
    case .name(let name): name
    case .pointer(let components): components.first
    case .mapped: nil
    }
  }
}

/// A text with columns in braces and optional parts in brackets.
struct Template: Equatable, Sendable {
  private enum Piece: Equatable, Sendable {
    case text(String)
    case column(Column)
    case optional([Piece])
  }

  private let pieces: [Piece]
  /// Whether it reads the number of an OpenStreetMap element.
  let readsElementID: Bool

  /// - Throws: ``InvalidMapping`` without a key for a brace or bracket that is not closed.
  init(_ text: String) throws(InvalidMapping) {
    var rest = Substring(text)
    pieces = try Self.pieces(&rest, isInside: false)
    readsElementID = Self.columns(pieces).contains(.name("@id"))
  }

  private static func pieces(
    _ rest: inout Substring, isInside: Bool
  ) throws(InvalidMapping) -> [Piece] {
    var pieces: [Piece] = []
    var text = ""
    while let letter = rest.popFirst() {
      switch letter {
      case "\\":
        if let next = rest.popFirst() { text.append(next) }
      case "{":
        guard let end = rest.firstIndex(of: "}"), end > rest.startIndex else {
          throw InvalidMapping(key: "", reason: "a brace that does not close around a column")
        }
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.column(Column(String(rest[..<end]))))
        rest = rest[rest.index(after: end)...]
      case "[" where !isInside:
        if !text.isEmpty { pieces.append(.text(text)) }
        text = ""
        pieces.append(.optional(try Self.pieces(&rest, isInside: true)))
      case "]" where isInside:
        if !text.isEmpty { pieces.append(.text(text)) }
        return pieces
      case "[", "]":
        throw InvalidMapping(key: "", reason: "a bracket that does not match")
      default: text.append(letter)
      }
    }
    guard !isInside else {
      throw InvalidMapping(key: "", reason: "a bracket that does not close")
    }
    if !text.isEmpty { pieces.append(.text(text)) }
    return pieces
  }

  /// All columns in the template.
  var columns: [Column] { Self.columns(pieces) }

  private static func columns(_ pieces: [Piece]) -> [Column] {
    pieces.flatMap { (piece) -> [Column] in
      switch piece {
      case .text: []
      case .column(let column): [column]
      case .optional(let pieces): columns(pieces)
      }
    }
  }

  /// The text with the column values inserted. Nil if a column outside brackets has no value.
  func filled(_ lookup: (Column) -> String?) -> String? {
    Self.filled(pieces, lookup)
  }

  private static func filled(_ pieces: [Piece], _ lookup: (Column) -> String?) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let part): text += part
      case .column(let column):
        guard let value = lookup(column) else { return nil }
        text += value
      case .optional(let pieces): text += filled(pieces, lookup) ?? ""
      }
    }
    return text
  }
}
