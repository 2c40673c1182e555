package import Devices
import Foundation
import JSON
package import PrivacyMap
import Service
package import SpatialDatabase
import WebServer

/// Finds existing devices that a new device may duplicate (docs/reference/api-writing.md, Likely duplicates).
///
/// Only public points are compared, and the new device's point is coarsened first. So adding a
/// device reveals nothing about others that the map does not show.
package struct LikelyDuplicates: Sendable {
  private let index: MapIndex
  private let lookalikes: [String: Lookalikes]

  /// The categories that people may confuse with a category.
  private struct Lookalikes {
    /// Category codes, including its own.
    let codes: Set<String>
    /// The same as numbers of the point index.
    let numbers: CodeSet
    /// Only its own category.
    let own: CodeSet
  }

  package init(index: MapIndex, vocabulary: Vocabulary) {
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

  /// A likely duplicate.
  package struct Candidate: Sendable {
    package let id: String
    package let name: String
    let category: String
    let status: String
    let point: Coordinate
    /// Metres between the public points.
    package let distance: Double
  }

  /// Metres around an exact place.
  static let radius = 50.0
  /// The maximum number of candidates, the nearest first.
  static let limit = 10

  /// The likely duplicates of a new device, the nearest first.
  ///
  /// The point index contains all committed devices. Later writes, possibly of this transaction, are
  /// read from the change sequence.
  package func candidates(
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

  /// The names of the public devices among `ids`, by id.
  package static func publicNames(
    of ids: Set<String>, _ connection: borrowing Connection
  ) throws -> [String: String] {
    var names: [String: String] = [:]
    for id in ids {
      names[id] = try connection.text(
        "SELECT name FROM device WHERE id = ? AND hidden = 0", [.text(id)])
    }
    return names
  }

  /// The criteria of a comparison.
  private struct Search {
    let point: Coordinate
    let precision: Precision
    let category: String

    /// The box that contains every candidate; two boxes at the poles and the antimeridian.
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

    /// Whether the place is precise enough to consider other categories.
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
    // A spot marked as "not a device" may have been taken for any category.
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

  /// Whether people may confuse one category with another.
  ///
  /// Two categories are alike when both sense the same kind of thing: the data they usually collect
  /// have a root of the taxonomy in common. A category without usual data is like any other. In a
  /// cell of a kilometre or more only the same category counts, because such a cell contains many
  /// other devices.
  private func isAlike(_ category: String, _ search: Search) -> Bool {
    category == search.category
      || search.isFine && lookalikes[search.category]?.codes.contains(category) == true
  }
}

extension LikelyDuplicates.Candidate {
  /// The candidate as in a 409 response.
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
  /// 409, with the likely duplicates.
  static func duplicate(_ candidates: [LikelyDuplicates.Candidate]) -> Refusal {
    Refusal(
      .conflict, "error.duplicate", type: "duplicate",
      members: [("candidates", .array(candidates.map(\.json)))])
  }
}
