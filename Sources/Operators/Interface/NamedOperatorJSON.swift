import PrivacyMap
import Reference
import Rights
import Service

/// An operator of the directory, with data about it from other features.
struct NamedOperatorJSON: Sendable {
  let entry: OperatorDirectory.Entry
  /// The approved organisation with the same name.
  let registered: String?

  struct Page: Sendable {
    let operators: [NamedOperatorJSON]
    let totals: OperatorDirectory.Totals
    let count: Int
    let next: String?
  }

  /// One operator with the content of its page.
  struct Details: Sendable {
    let shown: NamedOperatorJSON
    let details: OperatorDetails
    let towns: [Town]
    let outcomes: [Outcome]
  }

  struct Town: Sendable {
    let place: PlaceStore.Place
    let devices: Int
  }

  private static let row = JSONShape<NamedOperatorJSON>(
    nil, .text("key", \.entry.key), .text("name", \.entry.name),
    .oneOf("kind", \.entry.kind), .count("devices", \.entry.devices),
    .count("towns", \.entry.towns), .uuid("registered", \.registered))

  static let page = JSONShape<Page>(
    "namedOperators", .list("operators", of: row, \.operators), .count("count", \.count),
    .group(
      "devices", .count("total", \.totals.devices), .count("named", \.totals.named),
      .count("unlisted", \.totals.unlisted), .count("unknown", \.totals.unknown)),
    .text("next", \.next))

  private static let spelling = JSONShape<OperatorDirectory.Spelling>(
    nil, .text("name", \.name), .count("devices", \.devices))

  private static let count = JSONShape<OperatorDetails.Count>(
    nil, .text("code", \.code), .count("devices", \.devices))

  private static let town = JSONShape<Town>(
    nil, .text("id") { $0.place.id.map { "\($0)" } }, .text("name", \.place.name),
    .text("region", \.place.region), .text("country", \.place.country),
    .count("devices", \.devices))

  static let one = row.within(\Details.shown).extended(
    as: "namedOperator", .list("spellings", of: spelling, \.shown.entry.spellings),
    .list("categories", of: count, \.details.categories),
    .list("data_collected", of: count, \.details.data),
    .count("data_unknown", \.details.dataUnknown),
    .list("choices", of: count, \.details.choices),
    .count("retention_known", \.details.retentionKnown),
    .list("most_towns", of: town, \.towns), .count("without_town", \.details.withoutTown),
    .init("bbox", .box, \.details.box), .list("outcomes", of: Outcome.shape, \.outcomes))
}
