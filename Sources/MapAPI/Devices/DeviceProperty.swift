import JSON
import SpatialDatabase

/// One property of a device as the interface shows it: where it comes from and what it is.
///
/// This table is the one place that says so: the SELECT, the GeoJSON, the queryables and the OpenAPI
/// document are all made from it.
package struct DeviceProperty: Sendable {
  /// What a value is, in JSON.
  package enum Kind: Sendable {
    case text, integer, number, flag
    /// RFC 3339 in UTC.
    case time
    /// ISO 8601 day.
    case day
    /// A JSON array that the column already holds.
    case codes, numbers
    /// `{"name", "kind"}` and, where all is asked for, the contacts.
    case answersFor
    /// `{"name", "licence", "attribution", "url"}`.
    case source
    /// `[{"kind", "channel", …}]`.
    case offeredChoices
    /// `{"namespace": ["key"]}`.
    case references
    /// `{"key": "value"}` of the allow-list.
    case tags
    /// What people vouch for: one object for each claim.
    case claims
    /// `[{"id", "alt", "width", "height", "url", "thumb"}]`.
    case photos
    /// What whoever answers for it states: `{"operator", "stated_at", …}`.
    case statement
    /// `{"id", "name"}` of the organisation that answers for it.
    case registered
  }

  package let name: String
  let key: StaticString
  package let kind: Kind
  /// The columns it is read from, in `device` joined with `operator` and `source`.
  let columns: [String]
  /// Whether a list carries it when nothing else is asked for.
  package let isInLists: Bool
  /// Whether a record coarser than exact leaves it out, because it could lead to the true place.
  let isHiddenWhenCoarse: Bool
  /// Whether filters may name it (OGC API – Features Part 3).
  package let isQueryable: Bool

  private init(
    _ name: StaticString, _ kind: Kind, columns: [String]? = nil, inLists: Bool = false,
    hiddenWhenCoarse: Bool = false, queryable: Bool = true
  ) {
    self.name = "\(name)"
    key = name
    self.kind = kind
    self.columns = columns ?? ["device.\(name)"]
    isInLists = inLists
    isHiddenWhenCoarse = hiddenWhenCoarse
    isQueryable = queryable
  }

  /// Every property, in the order of answers.
  package static let all: [DeviceProperty] = [
    DeviceProperty("name", .text, inLists: true),
    DeviceProperty("category", .text, inLists: true),
    DeviceProperty("data_collected", .codes, inLists: true),
    DeviceProperty("status", .text, inLists: true),
    DeviceProperty(
      "operator", .answersFor,
      columns: [
        "operator.name", "operator.kind", "operator.contact", "operator.privacy_policy",
        "operator.data_protection_contact",
      ],
      inLists: true),
    DeviceProperty("precision", .text, inLists: true),
    DeviceProperty("description", .text),
    DeviceProperty("manufacturer", .text),
    DeviceProperty("model", .text),
    DeviceProperty("units", .integer),
    DeviceProperty("approximate", .flag),
    DeviceProperty("country", .text),
    DeviceProperty("country_uncertain", .flag),
    DeviceProperty("level", .text),
    DeviceProperty("height", .number),
    DeviceProperty("setting", .text),
    DeviceProperty("zone", .text),
    DeviceProperty("bearings", .numbers, queryable: false),
    DeviceProperty("field_of_view", .number),
    DeviceProperty("mount", .text),
    DeviceProperty("purposes", .codes),
    DeviceProperty("identifiability", .text),
    DeviceProperty("processing", .text),
    DeviceProperty("storage", .text),
    DeviceProperty("retention", .text),
    DeviceProperty("shared_with", .codes),
    DeviceProperty("legal_basis", .text),
    DeviceProperty("signage", .text),
    DeviceProperty("choices", .offeredChoices, columns: ["device.choices"]),
    DeviceProperty("assumed", .codes, queryable: false),
    DeviceProperty("started_on", .text),
    DeviceProperty("observed_on", .day),
    DeviceProperty("stale_on", .day),
    DeviceProperty(
      "source", .source,
      columns: ["source.name", "source.licence", "source.attribution", "source.url"],
      queryable: false),
    DeviceProperty(
      "refs", .references, columns: [], hiddenWhenCoarse: true, queryable: false),
    DeviceProperty("tags", .tags, columns: [], hiddenWhenCoarse: true, queryable: false),
    DeviceProperty(
      "claims", .claims,
      columns: [
        "device.stale_on", "COALESCE(device.observed_on, substr(device.created_at, 1, 10))",
        "(SELECT stale_months FROM category WHERE category.code = device.category)",
      ],
      queryable: false),
    DeviceProperty("photos", .photos, columns: [], queryable: false),
    DeviceProperty("registered_operator", .registered, columns: [], queryable: false),
    DeviceProperty("statement", .statement, columns: [], queryable: false),
    DeviceProperty("revision", .integer, queryable: false),
    DeviceProperty("created_at", .time, inLists: true),
    DeviceProperty("updated_at", .time, inLists: true),
    DeviceProperty("last_confirmed", .time, inLists: true),
  ]

  private static let byName = Dictionary(
    all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

  package static func named(_ name: String) -> DeviceProperty? { byName[name] }

  /// What a list carries when nothing else is asked for.
  static let ofLists = all.filter(\.isInLists)

  /// Reads `properties=`: names separated by commas, added to those of lists, or `*` for all.
  static func selection(_ text: String?) throws(InvalidInput) -> [DeviceProperty] {
    guard let text else { return ofLists }
    if text == "*" { return all }
    var wanted = Set(ofLists.map(\.name))
    for name in text.split(separator: ",", omittingEmptySubsequences: false).map(String.init) {
      guard byName[name] != nil else { throw .unknownCode("properties", name) }
      wanted.insert(name)
    }
    return all.filter { wanted.contains($0.name) }
  }
}
