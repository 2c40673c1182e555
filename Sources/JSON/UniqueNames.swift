/// The names of the columns of a table as the names of members of an object: each differs from the others.
///
/// A repeated name gets a number, `name (2)`, because a member that occurs twice would replace the first.
package struct UniqueNames {
  private var seen: Set<String> = []

  package init() {}

  /// The name of the next column, in one line and without spaces around it. A column without a name gets its number,
  /// counted from 1.
  package mutating func next(_ header: String) -> String {
    var name = header.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if name.isEmpty { name = "column \(seen.count + 1)" }
    var unique = name
    var times = 1
    while !seen.insert(unique).inserted {
      times += 1
      unique = "\(name) (\(times))"
    }
    return unique
  }
}
