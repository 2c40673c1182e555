extension ImportMapping {
  /// Tests of which every row that is not skipped passes at least one. Empty if no rule of `skip` implies such tests.
  ///
  /// They come from a rule of `skip` that means “none of these”, such as `{"not": {"any": [{"column": "man_made",
  /// "equals": "surveillance"}]}}`.
  static func tagTests(of skip: [RowRule]) -> [TagTest] {
    for rule in skip {
      if case .not(let needed) = rule.condition, let tests = needed.necessaryTags { return tests }
    }
    return []
  }
}

extension Condition {
  /// Tests of which a row passes at least one if the condition holds. Nil if the condition implies no such tests.
  fileprivate var necessaryTags: [TagTest]? {
    switch self {
    case .column(.name(let key), let test): Self.isTag(key) ? [test.tagTest(key)] : nil
    case .number(.name(let key), _), .past(.name(let key), _), .present(.name(let key), true):
      Self.isTag(key) ? [TagTest(key: key, texts: [])] : nil
    case .all(let conditions): conditions.lazy.compactMap(\.necessaryTags).first
    case .any(let conditions):
      conditions.reduce([] as [TagTest]?) { tests, condition in
        guard let tests, let more = condition.necessaryTags else { return nil }
        return tests + more
      }
    case .column, .number, .past, .present, .place, .not: nil
    }
  }

  /// Columns whose names begin with `@` are not tags of the element.
  private static func isTag(_ name: String) -> Bool { !name.hasPrefix("@") }
}

extension TextTest {
  /// A text with non-ASCII characters has other lower-case forms, so any value passes.
  fileprivate func tagTest(_ key: String) -> TagTest {
    let isPlain = texts.allSatisfy { $0.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
    return TagTest(key: key, texts: isPlain && !isNegative ? texts.map { $0.lowercased() } : [])
  }
}
