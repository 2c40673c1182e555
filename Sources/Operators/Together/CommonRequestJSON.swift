import Devices
import PrivacyMap
import Reference
import Rights
import Service
import SpatialDatabase

/// The public form of a common request.
struct CommonRequestJSON: Sendable {
  let request: CommonRequest
  let entry: OperatorDirectory.Entry
  let place: PlaceStore.Place?
  /// The name of the device; nil if it is no longer on the map.
  let device: FoundDevice.Facts?
  let right: String?

  struct Page: Sendable {
    let requests: [CommonRequestJSON]
    let next: String?
  }

  static let shape = JSONShape<CommonRequestJSON>(
    "commonRequest", .uuid("id", \.request.id),
    .group("operator", .text("key", \.entry.key), .text("name", \.entry.name)),
    .group(
      "place", if: { $0.place != nil }, .text("id") { $0.place?.id.map { "\($0)" } ?? "" },
      .text("name") { $0.place?.name ?? "" }, .text("country") { $0.place?.country }),
    .group(
      "device", .uuid("id", \.request.device), .text("name") { $0.device?.name },
      .text("category") { $0.device?.category }),
    .text("kind", \.request.kind), .text("right", \.right),
    .count("people", \.request.people.step), .day("as_of", \.request.countedOn),
    .day("shown_on", \.request.shownOn), .day("due_on", \.request.dueOn),
    .group(
      "answers", .count("honoured", \.request.honoured.step),
      .count("refused", \.request.refused.step), .count("overdue", \.request.overdue.step)))

  static let page = JSONShape<Page>(
    "commonRequests", .count("minimum") { _ in Suppression.minimum },
    .init("steps", .list(of: .count)) { _ in PublishedCount.steps },
    .list("requests", of: shape, \.requests), .text("next", \.next))
}

extension CommonRequests {
  /// The public form of a request; nil for an unknown id or an operator that is no longer listed.
  func shown(_ id: String, in language: String) throws -> CommonRequestJSON? {
    let found = try map.database.readQuickly { try store.request(id, $0) }
    return try found.flatMap { try shown($0, in: language) }
  }

  func shown(_ request: CommonRequest, in language: String) throws -> CommonRequestJSON? {
    let directory = try operators.directory()
    guard let entry = directory.entry(directory.rulings.end(of: request.operatorKey)) else {
      return nil
    }
    let device = try map.database.readQuickly { try FoundDevice.facts(request.device, $0) }
    // A device that turned out to be in a home is not shown either.
    guard device?.isOfHousehold != true else { return nil }
    return CommonRequestJSON(
      request: request, entry: entry,
      place: try request.place.flatMap {
        try operators.places?.place(id: $0, language: language)
      }, device: device, right: choices.right(of: request.kind))
  }

  /// Whether requests about a device may be common. Requests about household devices, which are in homes, may not.
  func mayBeCommon(_ device: String) throws -> Bool {
    let facts = try map.database.readQuickly { try FoundDevice.facts(device, $0) }
    return facts.map { !$0.isOfHousehold } ?? false
  }
}

extension OperatorDirectory {
  /// The keys under which requests to an operator may be stored: its own key, and the keys that were merged into it.
  func keys(of entry: Entry) -> [String] { rulings.keys(leadingTo: entry.key) }
}
