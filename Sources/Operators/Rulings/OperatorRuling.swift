/// A moderator's decision about names of operators.
struct OperatorRuling: Equatable, Sendable {
  enum Kind: String, CaseIterable, Sendable {
    /// One operator is shown as a part of another.
    case merge
    /// One spelling is a separate operator.
    case split
    /// The name is not listed, because it is the name of a private person.
    case withhold
  }

  let id: String
  let kind: Kind
  /// The normal form of a name; of a split the whole spelling.
  let key: String
  /// The operator that a merge leads to.
  let into: String?
  let madeAt: String
}

/// All decisions in effect, and the grouping of names that follows from them.
struct OperatorRulings: Equatable, Sendable {
  let all: [OperatorRuling]
  private let merges: [String: String]
  private let splits: Set<String>
  private let withheld: Set<String>

  init(_ all: [OperatorRuling]) {
    self.all = all
    merges = Dictionary(
      all.compactMap { ruling in ruling.into.map { (ruling.key, $0) } }
    ) { first, _ in first }
    splits = Set(all.filter { $0.kind == .split }.map(\.key))
    withheld = Set(all.filter { $0.kind == .withhold }.map(\.key))
  }

  /// The key of the operator that has a name.
  func key(of name: OperatorName) -> String { end(of: ownKey(of: name)) }

  /// The key that a name has without merges.
  func ownKey(of name: OperatorName) -> String {
    isSplit(name.spelling) ? name.spelling : name.key
  }

  func isSplit(_ spelling: String) -> Bool { splits.contains(spelling) }

  /// A key, and the keys that are merged into it.
  func keys(leadingTo key: String) -> [String] {
    Set(merges.keys.filter { end(of: $0) == key } + [key]).sorted()
  }

  /// The operator that merges lead to from a key.
  func end(of key: String) -> String {
    var (key, seen) = (key, Set([key]))
    // Stored rulings have no cycle. A restored cycle must not hang the server.
    while let next = merges[key], seen.insert(next).inserted { key = next }
    return key
  }

  var withholdsNames: Bool { !withheld.isEmpty }

  func isWithheld(_ key: String) -> Bool { withheld.contains(key) }

  /// The decisions that lead to an operator or separate its spellings.
  func concerning(_ key: String, spellings: Set<String>) -> [OperatorRuling] {
    all.filter { ruling in
      switch ruling.kind {
      case .merge: end(of: ruling.key) == key
      case .split: spellings.contains(ruling.key)
      case .withhold: ruling.key == key
      }
    }
  }
}
