import JSON

/// Bodies of the greatest length that cost a server as much as possible: the body of an ordinary request with too
/// many members, names and texts that are slow to compare, long lists, long numbers and deep
/// nesting.
struct HostileBodies {
  /// Bytes of the longest text in a form.
  static let size = 1 << 20

  /// The body of a request that would succeed.
  let good: JSONValue
  /// About the greatest length of a body in bytes.
  let size: Int
  /// The schema of the body; its members are filled where `good` lacks them.
  let schema: Schema

  struct Body: Sendable {
    let name: String
    let text: String
  }

  /// The members that a body may have, by name; of nested objects as well.
  indirect enum Schema: Sendable {
    case value
    case object([(name: String, schema: Schema)])
  }

  var all: [Body] {
    [
      Body(name: "unknown members", text: withMore { "\"a\($0)\":1" }),
      Body(name: "unknown members that are null", text: withMore { "\"a\($0)\":null" }),
      Body(
        name: "unknown names that are slow to compare",
        text: withMore { "\"\(Self.slowName)\($0)\":1" }),
    ]
      + Filler.allCases.map { filler in
        Body(name: "\(filler) beside what is right", text: beside(filler))
      }
      + [Filler.letters, .numbers, .objects, .nesting].map { filler in
        Body(name: "\(filler) in every member", text: everywhere(filler))
      }
  }

  /// Combining marks that normalisation has to sort, so that equal and unequal names alike are slow
  /// to compare.
  private static let slowName = String(repeating: "e\u{316}\u{301}\u{327}", count: 8)

  /// The good body with members of `make` to the full size.
  private func withMore(_ make: (Int) -> String) -> String {
    let inner = Self.list(size / 3, make)
    let members = (good.objectValue?.members ?? []).map { member -> String in
      // Nested objects get their share too.
      guard let object = member.value.objectValue else {
        return "\(Self.text(.string(member.key))):\(Self.text(member.value))"
      }
      let own = object.members.map { "\(Self.text(.string($0.key))):\(Self.text($0.value))" }
      return "\(Self.text(.string(member.key))):{\((own + [inner]).joined(separator: ","))}"
    }
    let written = members.joined(separator: ",")
    let rest = Self.list(max(0, size - written.utf8.count - 10), make)
    return "{\((members + [rest]).filter { !$0.isEmpty }.joined(separator: ","))}"
  }

  /// The good body, its free members filled.
  private func beside(_ filler: Filler) -> String {
    Self.fill(schema, keeping: good, filler, size - Self.text(good).utf8.count - 4_096)
  }

  private func everywhere(_ filler: Filler) -> String {
    Self.fill(schema, keeping: nil, filler, size - 4_096)
  }

  private static func fill(
    _ schema: Schema, keeping good: JSONValue?, _ filler: Filler, _ size: Int
  ) -> String {
    guard case .object(let members) = schema, !members.isEmpty else {
      return good.map(text) ?? filler.value(size)
    }
    let known = Set(members.map(\.name))
    let given = good?.objectValue?.members ?? []
    let free = members.filter { member in
      guard let value = good?[member.name] else { return true }
      return value.objectValue != nil
    }
    let share = size / max(1, free.count)
    var parts = given.filter { !known.contains($0.key) || $0.value.objectValue == nil }
      .map { "\(text(.string($0.key))):\(text($0.value))" }
    parts += free.map { member in
      "\"\(member.name)\":\(fill(member.schema, keeping: good?[member.name], filler, share))"
    }
    return "{\(parts.joined(separator: ","))}"
  }

  private static func list(_ size: Int, _ make: (Int) -> String) -> String {
    var parts = ""
    parts.reserveCapacity(size)
    var number = 0
    while parts.utf8.count < size - 120 {
      if number > 0 { parts += "," }
      parts += make(number)
      number += 1
    }
    return parts
  }

  private static func text(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// The value for a member.
  enum Filler: CaseIterable, Sendable {
    case letters, marks, clusters, blanks, casing, address, digits, numbers, texts, objects,
      members, nesting

    /// A JSON value of about `size` bytes.
    func value(_ size: Int) -> String {
      let size = max(size, 64)
      func times(_ part: String) -> String { Self.repeated(part, (size - 2) / part.utf8.count) }
      return switch self {
      case .letters: "\"\(times("a"))\""
      // One cluster of combining marks in the order that normalisation must reverse.
      case .marks: "\"a\(times("\u{301}\u{316}\u{5B0}"))\""
      // The highest accepted number of combining marks on each letter.
      case .clusters:
        "\"\(times("a" + String(repeating: "\u{301}\u{316}\u{5B0}", count: 10)))\""
      // White space of three bytes, up to a letter at the end.
      case .blanks: "\"\(times("\u{2003}"))a\""
      // Longer in lower case than in upper case.
      case .casing: "\"\(times("\u{130}"))\""
      case .address: "\"https://a\(times(".a"))\""
      case .digits: times("9").prefix(300) + "." + times("9")
      case .numbers: "[\(times("1,"))1]"
      case .texts: "[\(times("\"a\","))\"b\"]"
      case .objects: "[\(times("{},"))1]"
      case .members: "{\(HostileBodies.list(size) { "\"a\($0)\":[]" })}"
      case .nesting: "[\(times(Self.nested + ","))1]"
      }
    }

    /// The same as `String(repeating:count:)`, which takes long for a million parts in a debug build.
    private static func repeated(_ part: String, _ count: Int) -> String {
      if count < 2 { return count == 1 ? part : "" }
      let half = repeated(part, count / 2)
      return half + half + (count.isMultiple(of: 2) ? "" : part)
    }

    /// As deep as a body may be within an object within an object.
    private static let nested =
      String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
  }
}

extension HostileBodies.Schema {
  /// Reads a schema of the OpenAPI document, whose `components.schemas` are `known`.
  init(_ schema: JSONValue?, in known: JSONValue?, depth: Int = 0) {
    if let name = schema?["$ref"]?.stringValue?.split(separator: "/").last {
      self.init(known?[String(name)], in: known, depth: depth + 1)
      return
    }
    var members: [(name: String, schema: Self)] = []
    if depth < 4 {
      let parts = [schema] + (schema?["allOf"]?.arrayValue ?? [])
      for part in parts {
        for member in part?["properties"]?.objectValue?.members ?? [] {
          members.append((member.key, Self(member.value, in: known, depth: depth + 1)))
        }
      }
    }
    self = members.isEmpty ? .value : .object(members)
  }
}
