/// The properties of a device that people set, without its position. Nil means unknown.
///
/// ``DeviceProperty/all`` declares the properties; a new property needs a line in both.
package struct DeviceFields: Equatable, Sendable {
  /// 1–120 characters.
  package var name: String
  /// A code of the scheme `categories`.
  package var category: String
  package var status = DeviceStatus.reported
  /// Plain text, at most 2,000 characters.
  package var description: String?
  package var manufacturer: String?
  package var model: String?
  /// The number of identical devices at this place, 1–10,000.
  package var units: Int?
  /// Floor, in the notation that people use: `-1`, `0`, `2;3`.
  package var level: String?
  /// Metres above the ground.
  package var height: Double?
  package var setting: Setting?
  package var zone: String?
  /// Degrees clockwise from north, 0 up to 360.
  package var bearings: [Double] = []
  /// Degrees, above 0 through 360.
  package var fieldOfView: Double?
  package var mount: String?
  package var dataCollected: [String] = []
  package var purposes: [String] = []
  package var identifiability: String?
  package var processing: String?
  package var storage: String?
  /// ISO 8601 duration, `none` or `indefinite`.
  package var retention: String?
  package var sharedWith: [String] = []
  package var legalBasis: String?
  package var signage: String?
  package var answersFor: Operator?
  package var choices: [OfferedChoice] = []
  /// Names of the fields above that were filled in from the category and not observed.
  package var assumed: [String] = []
  /// ISO 8601 year, month or day on which the device started operating.
  package var startedOn: String?
  /// The day of the last check by its source.
  package var observedOn: Day?
  package var lastConfirmed: Timestamp?

  package init(name: String, category: String) {
    self.name = name
    self.category = category
  }

  /// The day on which the device becomes due for a new check.
  package func staleOn(after staleMonths: Int, addedOn: Day) -> Day {
    (lastConfirmed?.day ?? observedOn ?? addedOn).adding(months: staleMonths)
  }
}

extension DeviceFields {
  /// The text of ``setting``.
  fileprivate var settingCode: String? {
    get { setting?.rawValue }
    set { setting = newValue.flatMap(Setting.init(rawValue:)) }
  }
}

extension DeviceProperty {
  private static let recipients = Scheme(rawValue: "recipients")

  /// All properties, in the order of responses.
  package static let all: [DeviceProperty] = [
    DeviceProperty("name", .own(.text), inLists: true),
    DeviceProperty("category", .own(.text), inLists: true),
    DeviceProperty("data_collected", .codes(\.dataCollected, .data), inLists: true),
    DeviceProperty("status", .computed(.text), inLists: true),
    DeviceProperty(
      "operator", .own(.answersFor),
      columns: [
        "operator.name", "operator.kind", "operator.contact", "operator.privacy_policy",
        "operator.data_protection_contact",
      ],
      inLists: true),
    DeviceProperty("precision", .own(.text), inLists: true),
    DeviceProperty("description", .text(\.description, 1...2_000, lines: true)),
    DeviceProperty("manufacturer", .text(\.manufacturer, 1...120)),
    DeviceProperty("model", .text(\.model, 1...120)),
    DeviceProperty("units", .integer(\.units, 1...10_000)),
    DeviceProperty("approximate", .own(.flag)),
    DeviceProperty("country", .computed(.text)),
    DeviceProperty("country_uncertain", .computed(.flag)),
    DeviceProperty("level", .text(\.level, 1...40)),
    // From mines to masts with cameras.
    DeviceProperty(
      "height", .number(\.height, Numbers(-500...9_000, likely: -500...1_000, unit: .metres))),
    DeviceProperty("setting", .word(\.settingCode, Setting.allCases.map(\.rawValue))),
    DeviceProperty("zone", .code(\.zone, .zones)),
    DeviceProperty("bearings", .bearings, queryable: false),
    DeviceProperty(
      "field_of_view", .number(\.fieldOfView, Numbers(0...360, above: true, unit: .degrees))),
    DeviceProperty("mount", .code(\.mount, .mounts)),
    DeviceProperty("purposes", .codes(\.purposes, .purposes)),
    DeviceProperty("identifiability", .code(\.identifiability, .identifiability)),
    DeviceProperty("processing", .code(\.processing, .processing)),
    DeviceProperty("storage", .code(\.storage, .storage)),
    DeviceProperty("retention", .duration(\.retention)),
    DeviceProperty("shared_with", .codes(\.sharedWith, recipients, keepsOrder: true)),
    DeviceProperty("legal_basis", .code(\.legalBasis, .legalBases)),
    DeviceProperty("signage", .code(\.signage, .signage)),
    DeviceProperty("choices", .own(.offeredChoices)),
    DeviceProperty("assumed", .own(.codes), queryable: false),
    DeviceProperty("started_on", .date(\.startedOn)),
    DeviceProperty("observed_on", .day(\.observedOn)),
    DeviceProperty("stale_on", .computed(.day)),
    DeviceProperty(
      "source", .computed(.source),
      columns: ["source.name", "source.licence", "source.attribution", "source.url"],
      queryable: false),
    DeviceProperty(
      "licence", .computed(.licence), columns: ["source.licence"], queryable: false),
    DeviceProperty(
      "refs", .computed(.references), columns: [], hiddenWhenCoarse: true, queryable: false),
    DeviceProperty(
      "tags", .computed(.tags), columns: [], hiddenWhenCoarse: true, queryable: false),
    DeviceProperty(
      "claims", .computed(.claims),
      columns: [
        "device.stale_on", "COALESCE(device.observed_on, substr(device.created_at, 1, 10))",
        "(SELECT stale_months FROM category WHERE category.code = device.category)",
      ],
      queryable: false),
    DeviceProperty("photos", .computed(.photos), columns: [], queryable: false),
    DeviceProperty("registered_operator", .computed(.registered), columns: [], queryable: false),
    DeviceProperty("statement", .computed(.statement), columns: [], queryable: false),
    DeviceProperty("revision", .computed(.integer), queryable: false),
    DeviceProperty("created_at", .computed(.time), inLists: true),
    DeviceProperty("updated_at", .computed(.time), inLists: true),
    DeviceProperty("last_confirmed", .computed(.time), inLists: true),
  ]
}
