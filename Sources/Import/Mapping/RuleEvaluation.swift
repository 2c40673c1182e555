import WrittenValues

/// The values that one rule found for a field.
struct RuleValues {
  var texts: [String]
  var shared: SharedRule
}

extension DeviceDraft {
  /// Evaluates the rules of a field in order, until `convert` returns a value.
  mutating func firstValue<Value>(
    _ field: DeviceField, _ convert: (inout DeviceDraft, RuleValues) -> Value?
  ) throws(RowRefused) -> Value? {
    for shared in mapper.mapping.fields[field] ?? [] {
      if let condition = shared.rule.condition, !holds(condition) { continue }
      switch try evaluate(shared, field) {
      case .nothing: continue
      case .unknown: return nil
      case .texts(let texts):
        guard let value = convert(&self, RuleValues(texts: texts, shared: shared)) else { continue }
        if shared.rule.isAssumed { assumed.append(field.name) }
        if let flag = shared.rule.flag { note(field, "by_rule", flag) }
        return value
      }
    }
    return nil
  }

  /// Like ``firstValue(_:_:)``, but a `refuse` in a table leaves the field empty.
  mutating func firstOptionalValue<Value>(
    _ field: DeviceField, _ convert: (inout DeviceDraft, RuleValues) -> Value?
  ) -> Value? {
    do throws(RowRefused) {
      return try firstValue(field, convert)
    } catch {
      note(field, error.note.code, error.note.detail)
      return nil
    }
  }

  private enum Evaluation {
    /// The rule does not apply.
    case nothing
    /// The rule states that the field is unknown.
    case unknown
    case texts([String])
  }

  private mutating func evaluate(
    _ shared: SharedRule, _ field: DeviceField
  ) throws(RowRefused) -> Evaluation {
    var texts: [String]
    switch shared.rule.origin {
    case .constant(let constants): return .texts(constants)
    case .template(let template):
      guard let text = columns.filled(template) else { return .nothing }
      use(template)
      texts = [text]
    case .columns(let candidates):
      texts = []
      for column in candidates where texts.isEmpty {
        texts = columns.raw(column, asJSON: field == .choices || field == .position)
        if !texts.isEmpty { use(column) }
      }
      if texts.isEmpty { return .nothing }
    }
    if !shared.rule.splits.isEmpty {
      let isSplit = shared.rule.splits.contains
      texts = texts.flatMap { $0.split(whereSeparator: isSplit).map(String.init) }
    }
    texts = texts.filter { text in
      let cleaned = RowColumns.cleaned(text)
      return !cleaned.isEmpty
        && (shared.rule.unknown.isEmpty || !shared.rule.unknown.contains(cleaned.lowercased()))
    }
    if texts.isEmpty { return .nothing }
    return shared.rule.hasTable ? try lookUp(texts, shared, field) : .texts(texts)
  }

  private mutating func lookUp(
    _ texts: [String], _ shared: SharedRule, _ field: DeviceField
  ) throws(RowRefused) -> Evaluation {
    var found: [String] = []
    var isUnknown = false
    for text in texts {
      let cleaned = RowColumns.cleaned(text)
      guard let result = shared.rule.result(for: cleaned) else {
        switch shared.rule.otherwise {
        case .keep: found.append(text)
        case .drop: break
        case .flag:
          note(
            field, "unknown_value",
            "“\(CleanText.excerpt(cleaned))” is not in the mapping's table.")
        }
        continue
      }
      if let reason = result.refuse {
        throw RowRefused(field: field, code: "refused_value", detail: reason)
      }
      if let flag = result.flag { note(field, "by_value", flag) }
      if let texts = result.texts { found += texts } else { isUnknown = true }
    }
    if !found.isEmpty { return .texts(found) }
    return isUnknown ? .unknown : .nothing
  }
}
