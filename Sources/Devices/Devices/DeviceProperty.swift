import JSON
import Service
import SpatialDatabase

/// One property of a device in the API: its name, type and source columns.
///
/// The SELECT statement, the GeoJSON, the queryables and the OpenAPI document are all generated from
/// this table.
package struct DeviceProperty: Sendable {
  /// The JSON type of a value.
  package enum Kind: Sendable {
    case text, integer, number, flag
    /// RFC 3339 in UTC.
    case time
    /// ISO 8601 day.
    case day
    /// A JSON array, as stored in the column.
    case codes, numbers
    /// `{"name", "kind"}` and, if all properties are requested, the contacts.
    case answersFor
    /// `{"name", "licence", "attribution", "url"}`.
    case source
    /// `[{"kind", "channel", …}]`.
    case offeredChoices
    /// `{"namespace": ["key"]}`.
    case references
    /// `{"key": "value"}` of the tags on the allow-list.
    case tags
    /// Confirmations and disputes: one object for each claim.
    case claims
    /// `[{"id", "alt", "width", "height", "url", "thumb"}]`.
    case photos
    /// The statement of the operator: `{"operator", "stated_at", …}`.
    case statement
    /// `{"id", "name"}` of the registered organisation that operates the device.
    case registered
  }

  package let name: String
  let key: StaticString
  package let kind: Kind
  /// The source columns, in `device` joined with `operator` and `source`.
  package let columns: [String]
  /// Whether lists contain it by default.
  package let isInLists: Bool
  /// Whether it is left out of records coarser than exact, because it could reveal the true place.
  package let isHiddenWhenCoarse: Bool
  /// Whether filters can name it (OGC API – Features Part 3).
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

  /// All properties, in the order of responses.
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

  /// The properties that lists contain by default.
  package static let ofLists = all.filter(\.isInLists)

  /// Reads `properties=`: names separated by commas, in addition to those of lists, or `*` for all.
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
