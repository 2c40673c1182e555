/// The query parameters of a request, decoded once. `+` becomes a space.
package struct Query: Sendable, Equatable {
  /// One `name=value`. A name without `=` has an empty value.
  package struct Pair: Sendable, Equatable {
    package var name: String
    package var value: String
  }

  /// In the order in which they were sent.
  package private(set) var pairs: [Pair]

  package init(_ pairs: [(String, String)] = []) {
    self.pairs = pairs.map { Pair(name: $0.0, value: $0.1) }
  }

  init(pairs: [Pair]) { self.pairs = pairs }

  /// The first value of `name`. Names are case-sensitive.
  package subscript(_ name: String) -> String? {
    pairs.first { $0.name == name }?.value
  }

  /// All values of `name`, in order.
  package func values(_ name: String) -> [String] {
    pairs.filter { $0.name == name }.map(\.value)
  }

  /// Each name once, in the order of first appearance.
  package var names: [String] {
    var seen: Set<String> = []
    return pairs.map(\.name).filter { seen.insert($0).inserted }
  }

  package var isEmpty: Bool { pairs.isEmpty }
}
