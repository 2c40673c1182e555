import PrivacyMap
import WrittenValues

/// A field that a mapping fills.
struct DeviceField: Hashable, Sendable {
  let name: String
  /// Whether a plain text in a mapping is the code itself and not the name of a column.
  let holdsCodes: Bool

  init(_ name: String, holdsCodes: Bool = false) {
    self.name = name
    self.holdsCodes = holdsCodes
  }

  static let category = DeviceField("category", holdsCodes: true)
  static let status = DeviceField("status", holdsCodes: true)
  static let operatorKind = DeviceField("operator_kind", holdsCodes: true)
  static let `operator` = DeviceField("operator")
  static let privacyPolicy = DeviceField("privacy_policy")
  static let operatorContact = DeviceField("operator_contact")
  static let dataProtectionContact = DeviceField("data_protection_contact")
  static let choices = DeviceField("choices", holdsCodes: true)
  static let assumed = DeviceField("assumed", holdsCodes: true)
  static let lastConfirmed = DeviceField("last_confirmed")
  static let longitude = DeviceField("longitude")
  static let latitude = DeviceField("latitude")
  /// Longitude and latitude in one value.
  static let position = DeviceField("position")
  static let precision = DeviceField("precision", holdsCodes: true)
  static let approximate = DeviceField("approximate", holdsCodes: true)
  static let name = DeviceField("name")

  /// The fields of one text or code. They are filled before others, because rules of others can
  /// refer to them.
  static let single = plain { $0.isSingleText }
  /// The fields of the other plain properties.
  static let others = plain { !$0.isSingleText }

  private static func plain(
    _ isMeant: (DeviceProperty.Entry) -> Bool
  ) -> [(field: DeviceField, entry: DeviceProperty.Entry)] {
    DeviceProperty.plain.compactMap { property in
      let entry = property.entry
      guard isMeant(entry) else { return nil }
      return (DeviceField(property.name, holdsCodes: entry.holdsCodes), entry)
    }
  }

  /// All fields, in the order of filling. The name is last, because it may be composed of the
  /// others.
  static let all =
    [category, status] + single.map(\.field)
    + [operatorKind, `operator`, privacyPolicy, operatorContact, dataProtectionContact]
    + others.map(\.field)
    + [
      choices, lastConfirmed, assumed, longitude, latitude, position, precision, approximate, name,
    ]
}

extension DeviceProperty.Entry {
  fileprivate var isSingleText: Bool {
    switch self {
    case .text, .code, .word: true
    default: false
    }
  }

  fileprivate var holdsCodes: Bool {
    switch self {
    case .code, .codes, .word, .duration: true
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
  var months = DateFormat.months
  var unit = "m"
  var notation = WrittenPosition.Notation()
  var order: WrittenPosition.Order?
  var fullTurn = BearingText.FullTurn.unclear
  var isAssumed = false
  var flag: String?

  /// The result for a value. Nil if it matches neither the table nor a pattern.
  func result(for value: String) -> Result? {
    if let result = values[ignoresCase ? value.lowercased() : value] { return result }
    return patterns.first { $0.test.holds(value) }?.result
  }

  var decimal: PlainNumber.Decimal { notation.decimal }

  /// The columns that it reads.
  var columns: [Column] {
    switch origin {
    case .columns(let columns): columns
    case .template(let template): template.columns
    case .constant: []
    }
  }

  var hasTable: Bool { !values.isEmpty || !patterns.isEmpty }
}
