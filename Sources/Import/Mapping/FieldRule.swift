/// The fields that a mapping fills, in the order of filling.
enum DeviceField: String, CaseIterable, Sendable {
  case category, status, description, manufacturer, model, units, level, height, setting, zone
  case bearings
  case fieldOfView = "field_of_view"
  case mount
  case dataCollected = "data_collected"
  case purposes, identifiability, processing, storage, retention
  case sharedWith = "shared_with"
  case legalBasis = "legal_basis"
  case signage
  case operatorKind = "operator_kind"
  case `operator`
  case privacyPolicy = "privacy_policy"
  case observedOn = "observed_on"
  case startedOn = "started_on"
  case longitude, latitude, precision, approximate
  /// Last, because it may be composed of the others.
  case name

  /// Whether a plain text in a mapping is the code itself and not the name of a column.
  var holdsCodes: Bool {
    switch self {
    case .category, .status, .setting, .zone, .mount, .dataCollected, .purposes, .identifiability,
      .processing, .storage, .retention, .sharedWith, .legalBasis, .signage, .operatorKind,
      .precision, .approximate:
      true
    default: false
    }
  }
}

/// A rule shared by all rows, so that using it makes no copy.
final class SharedRule: Sendable {
  let rule: FieldRule

  init(_ rule: FieldRule) { self.rule = rule }
}

/// One rule for filling a field.
struct FieldRule: Sendable {
  enum Origin: Sendable {
    case columns([Column])
    case template(Template)
    case constant([String])
  }

  /// The treatment of a value that matches neither the table nor a pattern.
  enum Otherwise: String, CaseIterable, Sendable { case flag, keep, drop }

  /// The mapped result of a value.
  struct Result: Sendable {
    /// Nil means that the field is unknown and that later rules are not evaluated.
    var texts: [String]?
    var flag: String?
    var refuse: String?
  }

  var origin: Origin
  var condition: Condition?
  var values: [String: Result] = [:]
  var patterns: [(test: TextTest, result: Result)] = []
  var ignoresCase = false
  var otherwise = Otherwise.keep
  var splits: Set<Character> = []
  var join = ", "
  /// In lower case.
  var unknown: Set<String> = []
  var formats = DateFormat.iso
  var months = DateFormat.englishMonths
  var unit = "m"
  var decimal = PlainNumber.Decimal.point
  var fullTurn = BearingText.FullTurn.unclear
  var isAssumed = false
  var flag: String?

  /// The result for a value. Nil if it matches neither the table nor a pattern.
  func result(for value: String) -> Result? {
    if let result = values[ignoresCase ? value.lowercased() : value] { return result }
    return patterns.first { $0.test.holds(value) }?.result
  }

  var hasTable: Bool { !values.isEmpty || !patterns.isEmpty }
}
