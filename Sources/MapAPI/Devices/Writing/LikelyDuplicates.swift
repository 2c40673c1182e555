import Foundation
import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// Looks for devices on the map that a new one may be (docs/api.md, Likely duplicates).
///
/// Public points alone are compared, the new pin's too, once it is coarsened: whoever adds a device
/// learns of others nothing that the map does not show.
struct LikelyDuplicates: Sendable {
  private let index: MapIndex
  private let lookalikes: [String: Lookalikes]

  /// What people may take a device of some category for, near by.
  private struct Lookalikes {
    /// Categories, its own among them.
    let codes: Set<String>
    /// The same, as the index has them.
    let numbers: CodeSet
    /// Its own alone.
    let own: CodeSet
  }

  init(index: MapIndex, vocabulary: Vocabulary) {
    self.index = index
    let categories = vocabulary.categories.map { category in
      (category, roots: Set(category.collects.map { vocabulary.root(of: $0, in: .data) }))
    }
    let pairs = categories.map { category, roots in
      let alike = categories.filter { other, theirs in
        other.code == category.code || roots.isEmpty || theirs.isEmpty
          || !roots.isDisjoint(with: theirs)
      }.map(\.0)
      return (
        category.code,
        Lookalikes(
          codes: Set(alike.map(\.code)), numbers: CodeSet(alike.map(\.number)),
          own: CodeSet([category.number]))
      )
    }
    lookalikes = Dictionary(pairs) { first, _ in first }
  }

  /// One that may be the same.
  struct Candidate {
    let id: String
    let name: String
    let category: String
    let status: String
    let point: Coordinate
    /// Metres between the public points.
    let distance: Double
  }

  /// Metres around an exact place.
  static let radius = 50.0
  /// Candidates told at most, the nearest.
  static let limit = 10

  /// The candidates for a new device, the nearest first.
  ///
  /// The index knows all that was committed; what was written since, perhaps in this very
  /// transaction, is read from the sequence of changes.
  func candidates(
    for fields: DeviceFields, at placement: DeviceWriter.Placement,
    _ connection: borrowing Connection
  ) throws -> [Candidate] {
    let search = Search(
      point: placement.precision.publicPoint(for: placement.place),
      precision: placement.precision, category: fields.category)
    let snapshot = index.snapshot
    var rowids = found(search, in: snapshot)
    rowids += try MapIndex.devices(changedAfter: snapshot.sequence, connection)
    var candidates: [Candidate] = []
    try connection.forEach(
      """
      SELECT id, name, category, status, longitude, latitude FROM device
      WHERE rowid = ? AND hidden = 0
      """, keys: Set(rowids).sorted()
    ) { _, row in
      if let candidate = candidate(row, search) { candidates.append(candidate) }
    }
    candidates.sort { ($0.distance, $0.id) < ($1.distance, $1.id) }
    return Array(candidates.prefix(Self.limit))
  }

  /// What a new device is compared by.
  private struct Search {
    let point: Coordinate
    let precision: Precision
    let category: String

    /// The box that every candidate lies in; at the poles and the antimeridian two.
    var boxes: [FixedBox] {
      if let cell = precision.cell(of: point) { return FixedBox.halves(of: cell) }
      let north = radius / (Earth.meanRadius * .pi / 180)
      let narrowest = cos(min(90, abs(point.latitude) + north) * .pi / 180)
      let east = narrowest > 1e-6 ? min(180, north / narrowest) : 180
      func wrapped(_ degrees: Double) -> Double {
        degrees > 180 ? degrees - 360 : degrees < -180 ? degrees + 360 : degrees
      }
      let box = try? BoundingBox(
        west: east < 180 ? wrapped(point.longitude - east) : -180,
        south: max(-90, point.latitude - north),
        east: east < 180 ? wrapped(point.longitude + east) : 180,
        north: min(90, point.latitude + north))
      return box.map { FixedBox.halves(of: $0) } ?? []
    }

    /// Whether its place is known well enough for other categories to be meant.
    var isFine: Bool { !Precision.hundredMetres.isFiner(than: precision) }

    private var radius: Double { LikelyDuplicates.radius }

    func reaches(_ other: Coordinate) -> Bool {
      precision == .exact
        ? point.distance(to: other) <= radius : precision.publicPoint(for: other) == point
    }
  }

  private func found(_ search: Search, in snapshot: PointIndex) -> [Int64] {
    var filter = PointFilter(boxes: search.boxes)
    let alike = lookalikes[search.category]
    filter.categories = search.isFine ? alike?.numbers : alike?.own
    var found = snapshot.nearest(to: search.point, matching: filter, limit: Self.limit)
    // What was looked at and is no device may have been taken for anything.
    filter.categories = nil
    filter.statuses = CodeSet([IndexNumber.of(DeviceStatus.notADevice)])
    found += snapshot.nearest(to: search.point, matching: filter, limit: Self.limit)
    return found.map { Int64($0.rowid) }
  }

  private func candidate(_ row: borrowing Row, _ search: Search) -> Candidate? {
    let category = row.text(2)
    let status = row.text(3)
    guard isAlike(category, search) || status == DeviceStatus.notADevice.rawValue,
      let point = try? Coordinate(longitude: row.double(4), latitude: row.double(5)),
      search.reaches(point)
    else { return nil }
    return Candidate(
      id: row.text(0), name: row.text(1), category: category, status: status, point: point,
      distance: point.distance(to: search.point))
  }

  /// Whether people may take a device of one category for one of another.
  ///
  /// They look alike when both sense the same sort of thing: what they usually collect has a root of
  /// the taxonomy in common. A category that collects nothing usual may be anything. In a cell of a
  /// kilometre or more only the same category counts, as much else stands there too.
  private func isAlike(_ category: String, _ search: Search) -> Bool {
    category == search.category
      || search.isFine && lookalikes[search.category]?.codes.contains(category) == true
  }
}

extension LikelyDuplicates.Candidate {
  /// As the 409 tells it.
  var json: JSONValue {
    [
      "id": .string(id), "name": .string(name), "category": .string(category),
      "status": .string(status), "distance": .integer(Int64(distance.rounded())),
      "geometry": [
        "type": "Point", "coordinates": [.double(point.longitude), .double(point.latitude)],
      ],
    ]
  }
}

extension Refusal {
  /// 409, with what is on the map already.
  static func duplicate(_ candidates: [LikelyDuplicates.Candidate]) -> Refusal {
    Refusal(
      .conflict, "error.duplicate", type: "duplicate",
      members: [("candidates", .array(candidates.map(\.json)))])
  }
}
