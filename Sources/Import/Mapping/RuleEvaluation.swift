/// What one rule found for a field.
struct RuleValues {
  var texts: [String]
  var rule: FieldRule
}

extension DeviceDraft {
  /// Asks the rules of a field in turn, until `convert` makes something of what one yields.
  mutating func firstValue<Value>(
    _ field: DeviceField, _ convert: (inout DeviceDraft, RuleValues) -> Value?
  ) throws(RowRefused) -> Value? {
    for rule in mapping.fields[field] ?? [] {
      if let condition = rule.condition, !condition.holds(cleanValues) { continue }
      switch try evaluate(rule, field) {
      case .nothing: continue
      case .unknown: return nil
      case .texts(let texts):
        guard let value = convert(&self, RuleValues(texts: texts, rule: rule)) else { continue }
        if rule.isAssumed { assumed.append(field.rawValue) }
        if let flag = rule.flag { note(field, "by_rule", flag) }
        return value
      }
    }
    return nil
  }

  /// As ``firstValue(_:_:)``, where a table's `refuse` leaves the field empty instead.
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
    /// The rule has nothing to say.
    case nothing
    /// The rule says that the field is unknown.
    case unknown
    case texts([String])
  }

  private mutating func evaluate(
    _ rule: FieldRule, _ field: DeviceField
  ) throws(RowRefused) -> Evaluation {
    var texts: [String]
    switch rule.origin {
    case .constant(let constants): return .texts(constants)
    case .template(let template):
      guard let text = filled(template) else { return .nothing }
      use(template)
      texts = [text]
    case .columns(let columns):
      guard let column = columns.first(where: { !rawValues($0).isEmpty }) else { return .nothing }
      use(column)
      texts = rawValues(column)
    }
    if !rule.splits.isEmpty {
      texts = texts.flatMap { $0.split(whereSeparator: rule.splits.contains).map(String.init) }
    }
    texts = texts.filter { text in
      let cleaned = Self.cleaned(text).lowercased()
      return !cleaned.isEmpty && !rule.unknown.contains(cleaned)
    }
    if texts.isEmpty { return .nothing }
    return rule.hasTable ? try lookUp(texts, rule, field) : .texts(texts)
  }

  private mutating func lookUp(
    _ texts: [String], _ rule: FieldRule, _ field: DeviceField
  ) throws(RowRefused) -> Evaluation {
    var found: [String] = []
    var isUnknown = false
    for text in texts {
      let cleaned = Self.cleaned(text)
      guard let result = rule.result(for: cleaned) else {
        switch rule.otherwise {
        case .keep: found.append(text)
        case .drop: break
        case .flag:
          note(
            field, "unknown_value",
            "“\(ImportNote.excerpt(cleaned))” is not in the mapping's table.")
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
