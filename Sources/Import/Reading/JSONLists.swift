/// Finds the lists of objects in the beginning of a JSON document.
struct JSONLists {
  private indirect enum Node {
    case object([(name: String, value: Node)])
    case array([Node])
    case scalar

    var members: [(name: String, value: Node)]? {
      if case .object(let members) = self { members } else { nil }
    }
  }

  /// The paths of the lists, with `*` for any member of a map, in descending order of their objects.
  private(set) var paths: [[String]] = []

  private static let maxDepth = 6
  /// More values are not needed to see the form of a document.
  private static let maxValues = 5_000
  private static let maxLists = 20

  init(_ head: ArraySlice<UInt8>) {
    var parser = Parser(rest: head)
    guard let root = parser.value(depth: 0) else { return }
    var found: [(path: [String], count: Int)] = []
    Self.find(in: root, at: [], &found)
    let ordered = found.enumerated().sorted {
      ($1.element.count, $0.offset) < ($0.element.count, $1.offset)
    }
    paths = ordered.prefix(Self.maxLists).map(\.element.path)
  }

  private static func find(
    in node: Node, at path: [String], _ found: inout [(path: [String], count: Int)]
  ) {
    switch node {
    case .scalar: return
    case .array(let elements):
      let objects = elements.count { !($0.members?.isEmpty ?? true) }
      if objects > 0 { found.append((path, objects)) }
    case .object(let members):
      guard isMap(members) else {
        for member in members { find(in: member.value, at: path + [member.name], &found) }
        return
      }
      // The lists inside the members of a map are one list; without any, the members are its rows.
      var inner: [(path: [String], count: Int)] = []
      for member in members {
        var lists: [(path: [String], count: Int)] = []
        find(in: member.value, at: path + ["*"], &lists)
        for list in lists {
          if let known = inner.firstIndex(where: { $0.path == list.path }) {
            inner[known].count += list.count
          } else {
            inner.append(list)
          }
        }
      }
      found += inner.isEmpty ? [(path + ["*"], members.count)] : inner
    }
  }

  /// Whether an object is a map: its members are objects that share half of their names.
  private static func isMap(_ members: [(name: String, value: Node)]) -> Bool {
    guard members.count > 1, let first = members[0].value.members, !first.isEmpty else {
      return false
    }
    let names = Set(first.map(\.name))
    return members.allSatisfy { member in
      guard let inner = member.value.members else { return false }
      let shared = inner.count { names.contains($0.name) }
      return shared > 0 && shared * 2 >= min(inner.count, names.count)
    }
  }

  /// Reads as much of a document as there is.
  private struct Parser {
    var rest: ArraySlice<UInt8>
    var values = 0

    mutating func value(depth: Int) -> Node? {
      skipBlanks()
      values += 1
      guard values < JSONLists.maxValues, let first = rest.first else { return nil }
      // Deeper values are only skipped.
      guard depth < JSONLists.maxDepth else { return skipped() }
      switch first {
      case UInt8(ascii: "{"): return .object(members(depth: depth))
      case UInt8(ascii: "["): return .array(elements(depth: depth))
      default: return skipped()
      }
    }

    private mutating func members(depth: Int) -> [(name: String, value: Node)] {
      rest.removeFirst()
      var members: [(name: String, value: Node)] = []
      while true {
        skipBlanks(and: UInt8(ascii: ","))
        guard rest.first == UInt8(ascii: "\""), let name = text() else { break }
        skipBlanks(and: UInt8(ascii: ":"))
        guard let value = value(depth: depth + 1) else { break }
        members.append((name, value))
      }
      if rest.first == UInt8(ascii: "}") { rest.removeFirst() }
      return members
    }

    private mutating func elements(depth: Int) -> [Node] {
      rest.removeFirst()
      var elements: [Node] = []
      while true {
        skipBlanks(and: UInt8(ascii: ","))
        guard rest.first != UInt8(ascii: "]"), let value = value(depth: depth + 1) else { break }
        elements.append(value)
      }
      if rest.first == UInt8(ascii: "]") { rest.removeFirst() }
      return elements
    }

    private mutating func text() -> String? {
      let start = rest
      guard skipped() != nil else { return nil }
      let bytes = start[start.startIndex + 1..<max(rest.startIndex - 1, start.startIndex + 1)]
      return String(validating: bytes, as: UTF8.self)
    }

    /// Leaves out one value; nil at the end of the document.
    private mutating func skipped() -> Node? {
      var scan = ValueScan()
      guard let first = rest.first, ValueScan.mayBegin(first) else { return nil }
      for position in rest.indices {
        let end = scan.take(rest[position])
        if end == .no { continue }
        rest = rest[(end == .with ? position + 1 : position)...]
        return .scalar
      }
      rest = rest[rest.endIndex...]
      return nil
    }

    private mutating func skipBlanks(and more: UInt8 = 0x20) {
      rest = rest.drop { $0 == 0x20 || (0x09...0x0D).contains($0) || $0 == more }
    }
  }
}
