package import CQL2
import Filters
package import PrivacyMap
package import Reference
package import Service
package import SpatialDatabase
package import WebServer

/// The public point is in a box.
package struct BoxCondition: DeviceCondition {
  let box: BoundingBox

  package init(_ box: BoundingBox) { self.box = box }

  package static func parameters(_: Vocabulary) -> [Parameter] {
    [
      .query(
        "bbox", .numbers(minimum: 4, maximum: 6),
        "Devices whose public point lies in this box, edges included: west, south, east, north. "
          + "A west greater than east crosses the antimeridian."),
      CoordinateSystem.ofBox,
    ]
  }

  package static var isForWatches: Bool { false }

  package init?(_ query: Query, _: DeviceParameters) throws {
    guard let box = try BoundingBox(query) else { return nil }
    self.box = box
  }

  package static func narrowed(
    _ known: BoxCondition?, by part: Filter, _: Vocabulary
  ) -> BoxCondition? {
    guard known == nil, case .spatial(.intersects, let left, let right) = part else { return nil }
    switch (left, right) {
    case (.property("geometry"), .geometry(.box(let west, let south, let east, let north))),
      (.geometry(.box(let west, let south, let east, let north)), .property("geometry")):
      // A geometry that is not a valid box stays in the expression.
      return (try? BoundingBox(west: west, south: south, east: east, north: north))
        .map(BoxCondition.init)
    default: return nil
    }
  }

  package func write(to clauses: inout FilterClauses, _ connection: borrowing Connection) {
    clauses.isWithin(box, connection)
  }

  package func narrow(_ points: inout PointFilter, _: Vocabulary, today _: Day) -> Bool {
    let halves = FixedBox.halves(of: box)
    if points.boxes == nil { points.boxes = halves } else { points = points.narrowed(to: halves) }
    return true
  }

  package var fillsCells: Bool { box.fillsCells }
}

/// The public point is in the area of a place.
package struct PlaceCondition: DeviceCondition {
  package let area: PlaceArea

  package static func parameters(_: Vocabulary) -> [Parameter] {
    [
      .query(
        "place", .text(),
        "Devices inside the border of this place, an id of `/api/places`, or in its box if no border is known."
      )
    ]
  }

  package static var isForWatches: Bool { false }

  package init?(_ query: Query, _ parameters: DeviceParameters) throws {
    guard let id = query["place"] else { return nil }
    guard let number = Int64(id), let area = try parameters.places?.area(of: number) else {
      throw InvalidInput("place", Message("error.unknown_place"))
    }
    self.area = area
  }

  package func write(to clauses: inout FilterClauses, _ connection: borrowing Connection) {
    if let box = area.box { clauses.isWithin(box, connection) }
    if let country = area.country { clauses.isOneOf("device.country", [country]) }
    for region in area.regions {
      let inside = connection.inside(region, "device")
      clauses.add(inside.sql, inside.arguments)
    }
  }

  package func narrow(_ points: inout PointFilter, _: Vocabulary, today _: Day) -> Bool {
    points = points.narrowed(to: area)
    return true
  }

  package var fillsCells: Bool { area.box?.fillsCells ?? true }
}

extension BoundingBox {
  /// Reads `bbox` in the coordinate reference system `bbox-crs`.
  package init?(_ query: Query) throws {
    let system = try CoordinateSystem(parameter: "bbox-crs", query["bbox-crs"])
    guard let text = query["bbox"] else { return nil }
    do { self = try system.box(text) } catch { throw InvalidInput("bbox", error.message) }
  }

  /// Whether it has more than a few cells. Cells on its edges have as many other devices.
  fileprivate var fillsCells: Bool {
    let width = halves.reduce(0) { $0 + $1.east - $1.west }
    return min(width, north - south) >= 4 / ListingKey.cellsPerDegree
  }
}

extension FilterClauses {
  fileprivate mutating func isWithin(_ box: BoundingBox, _ connection: borrowing Connection) {
    let within =
      if !usesTree {
        """
        (device.longitude >= ? AND device.latitude >= ? AND device.longitude <= ? AND device.latitude <= ?)
        """
      } else if categoryInTree == nil {
        connection.within("device")
      } else {
        connection.within("device", alongWith: "category")
      }
    let halves = box.halves
    let category = categoryInTree.map { SQLValue(Int($0)) }
    add(
      "(" + halves.map { _ in within }.joined(separator: " OR ") + ")",
      halves.flatMap { half -> [SQLValue] in
        let edges: [SQLValue] = [half.west, half.south, half.east, half.north].map { .real($0) }
        return edges + (category.map { [$0, $0] } ?? [])
      })
  }
}

extension PointFilter {
  /// This filter, restricted further to the area of a place.
  package func narrowed(to place: PlaceArea) -> PointFilter {
    var filter = self
    if let country = place.country {
      filter = filter.narrowed(toCountry: IndexedPoint.packedCountry(country))
    }
    for region in place.regions { filter = filter.narrowed(to: region) }
    if place.regions.isEmpty, let box = place.box {
      filter = filter.narrowed(to: FixedBox.halves(of: box))
    }
    return filter
  }
}
