package import CQL2
package import PrivacyMap
package import Reference
package import Service
package import WebServer

/// The query parameters that select devices; the same for lists, tiles, counts and exports.
package struct DeviceParameters: Sendable {
  package let vocabulary: Vocabulary
  package let places: PlaceStore?
  /// The licence of contributions to this instance.
  package let licence: String

  package init(vocabulary: Vocabulary, places: PlaceStore?, licence: String) {
    self.vocabulary = vocabulary
    self.places = places
    self.licence = licence
    declared = Self.own(vocabulary) + FilterParameters.declared + Self.queryables.declared
  }

  /// Their declarations in the OpenAPI document.
  package let declared: [Parameter]

  private static func own(_ vocabulary: Vocabulary) -> [Parameter] {
    func codes(_ scheme: Scheme) -> [String] { vocabulary.terms(of: scheme).map(\.code) }
    return [
      .query(
        "bbox", .numbers(minimum: 4, maximum: 6),
        "Devices whose public point lies in this box, edges included: west, south, east, north. "
          + "A west greater than east crosses the antimeridian."),
      CoordinateSystem.ofBox,
      .query(
        "datetime", .text(maxLength: 100),
        "Devices last changed at this moment, on this day in UTC, or in this interval (RFC 3339)."),
      .query("category", .codes(vocabulary.categories.map(\.code)), "Devices of any of these."),
      .query("data_collected", .codes(codes(.data)), "Devices that collect any of these."),
      .query("choices", .codes(codes(.choices)), "Devices that offer any of these choices."),
      .query("operator", .repeated(.text()), "Devices of any of these operators, by name."),
      .query(
        "operator_kind", .codes(Operator.Kind.allCases.map(\.rawValue)),
        "Devices of operators of any of these kinds."),
      .query(
        "setting", .codes(Setting.allCases.map(\.rawValue)), "Devices in any of these settings."),
      .query(
        "status", .codes(DeviceStatus.allCases.map(\.rawValue)),
        "Devices in any of these states; `removed` and `not_a_device` only when named."),
      .query(
        "freshness", .codes(Freshness.allCases.map(\.rawValue)),
        "Devices looked at recently, due to be looked at, or long unseen."),
      .query("country", .text(), "Devices in any of these countries (ISO 3166-1 alpha-2)."),
      .query(
        "licence", .repeated(.text()),
        "Devices whose record is under any of these licences, as the record's `source` names it."),
      .query(
        "place", .text(),
        "Devices inside the border of this place, an id of `/api/places`, or in its box if no border is known."
      ),
      .query(
        "q", .text(),
        "Devices with all these words in name, operator or description, and devices of a category with this name or "
          + "everyday name in any language, such as `CCTV` or `number plate`."),
    ]
  }

  /// Parameters that accept more than the queryable of the same name: several values, checked
  /// codes, or terms with their descendants.
  private static let ownNames = [
    "category", "data_collected", "choices", "operator", "operator_kind", "setting", "status",
    "country",
  ]

  private static let queryables = QueryableParameters(DeviceQueryables.known, except: ownNames)

  /// Reads a filter.
  ///
  /// - Throws: ``InvalidInput`` with the name of the invalid parameter.
  package func filter(
    _ query: Query, limits: FilterLimits = FilterLimits()
  ) throws -> DeviceFilter {
    var filter = DeviceFilter()
    filter.box = try box(query)
    if let text = query["datetime"] {
      guard let range = TimeRange(text: text) else {
        throw InvalidInput("datetime", Message("error.datetime"))
      }
      filter.changed = range
    }
    filter.categories = try list(query, "category") { vocabulary.category($0) != nil }
    filter.dataCollected = try list(query, "data_collected", in: .data)
    filter.choices = try list(query, "choices", in: .choices)
    filter.operatorKinds = try list(query, "operator_kind")
    filter.settings = try list(query, "setting")
    filter.statuses = try list(query, "status")
    filter.freshness = try list(query, "freshness")
    filter.countries = try list(query, "country", where: Self.isCountry)
    filter.operators = try query.values("operator").map { try Self.plain("operator", $0) }
    filter.licences.names = try query.values("licence").map { try Self.plain("licence", $0) }
    filter.licences.coversOwn = filter.licences.names.contains(licence)
    if let words = query["q"] { filter.words = try Self.plain("q", words) }
    let conditions =
      try [FilterParameters.filter(query, fields: DeviceQueryables.known, limits: limits)]
      .compactMap { $0 }
      + Self.queryables.conditions(query)
    filter.narrow(by: conditions, vocabulary: vocabulary)
    if let place = query["place"] { filter.place = try area(ofPlace: place) }
    return filter
  }

  /// Whether a text has the form of a country code (ISO 3166-1 alpha-2).
  static func isCountry(_ code: String) -> Bool {
    code.utf8.count == 2 && code.utf8.allSatisfy { (65...90).contains($0) }
  }

  private func box(_ query: Query) throws -> BoundingBox? {
    let system = try CoordinateSystem(parameter: "bbox-crs", query["bbox-crs"])
    guard let text = query["bbox"] else { return nil }
    do { return try system.box(text) } catch { throw InvalidInput("bbox", error.message) }
  }

  private func area(ofPlace id: String) throws -> PlaceArea {
    guard let number = Int64(id), let area = try places?.area(of: number) else {
      throw InvalidInput("place", Message("error.unknown_place"))
    }
    return area
  }

  private func list(_ query: Query, _ name: String, in scheme: Scheme) throws -> [String] {
    try list(query, name) { vocabulary.contains($0, in: scheme) }
  }

  /// Reads values separated by commas; each must satisfy `isKnown`.
  private func list(
    _ query: Query, _ name: String, where isKnown: (String) -> Bool
  ) throws -> [String] {
    guard let text = query[name] else { return [] }
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard values.count <= 300 else { throw InvalidInput(name, Message("error.too_many_values")) }
    for value in values where !isKnown(value) { throw InvalidInput.unknownCode(name, value) }
    return Set(values).sorted()
  }

  private func list<Code: RawRepresentable<String>>(
    _ query: Query, _ name: String
  ) throws -> [Code] {
    try list(query, name) { Code(rawValue: $0) != nil }.compactMap(Code.init)
  }

  private static func plain(_ name: String, _ text: String) throws -> String {
    guard !text.isEmpty, text.unicodeScalars.count <= 200 else {
      throw InvalidInput(name, Message("error.text_length", ["maximum": "200"]))
    }
    return text
  }
}
