package import PrivacyMap
import Service
import SpatialDatabase

/// The order of a list of devices.
///
/// Ties are broken by rowid (the order of adding), so every order is total and pages never overlap.
package struct DeviceOrder: Equatable, Sendable {
  /// One column to sort by.
  package struct Key: Equatable, Sendable {
    package let property: String
    package let isDescending: Bool

    var column: String { property == "operator" ? "operator.name" : "device.\(property)" }
  }

  /// If set, sorts by distance to this place first.
  package var near: Coordinate?
  package var keys: [Key] = []

  package init() {}

  /// The properties that lists can be sorted by.
  static let sortable = [
    "name", "category", "status", "precision", "operator", "manufacturer", "country",
    "created_at", "updated_at", "last_confirmed", "observed_on", "stale_on",
  ]

  /// Reads `sortby` (names separated by commas; `-` before a name reverses the order) and `near`.
  ///
  /// - Throws: ``InvalidInput`` for an unknown or repeated name, or `distance` without a place.
  init(sortby: String?, near: String?) throws {
    if let near {
      do { self.near = try Coordinate(text: near) } catch {
        throw InvalidInput("near", error.message)
      }
    }
    guard let sortby else { return }
    let parts = sortby.split(separator: ",", omittingEmptySubsequences: false)
    for part in parts {
      let isDescending = part.hasPrefix("-")
      // An unescaped plus sign in a query is decoded as a space.
      let isAscending = part.hasPrefix("+") || part.hasPrefix(" ")
      let name = String(isDescending || isAscending ? part.dropFirst() : part)
      if name == "distance", parts.count == 1, !isDescending {
        guard self.near != nil else {
          throw InvalidInput("near", Message("error.distance_needs_near"))
        }
        return
      }
      guard Self.sortable.contains(name), !keys.contains(where: { $0.property == name }) else {
        throw InvalidInput.unknownCode("sortby", name)
      }
      keys.append(Key(property: name, isDescending: isDescending))
    }
    guard self.near == nil else {
      throw InvalidInput("sortby", Message("error.near_needs_distance"))
    }
  }

  /// The ORDER BY clause; NULL sorts last in both directions.
  var clause: String {
    (keys.flatMap { key in
      ["\(key.column) IS NULL", key.column + (key.isDescending ? " DESC" : "")]
    } + ["device.rowid"]).joined(separator: ", ")
  }

  /// The condition for rows after the position of a cursor, and its arguments.
  ///
  /// One term for each key: all earlier keys equal, this one after. The last term compares the
  /// rowid.
  func after(_ cursor: DeviceCursor) -> (sql: String, arguments: [SQLValue]) {
    var terms: [String] = []
    var arguments: [SQLValue] = []
    var equal: [(sql: String, arguments: [SQLValue])] = []
    for (key, value) in zip(keys, cursor.keys) {
      if let value {
        let sign = key.isDescending ? "<" : ">"
        terms.append(
          (equal.map(\.sql) + ["(\(key.column) \(sign) ? OR \(key.column) IS NULL)"])
            .joined(separator: " AND "))
        arguments += equal.flatMap(\.arguments) + [.text(value)]
        equal.append(("\(key.column) = ?", [.text(value)]))
      } else {
        equal.append(("\(key.column) IS NULL", []))
      }
    }
    terms.append((equal.map(\.sql) + ["device.rowid > ?"]).joined(separator: " AND "))
    arguments += equal.flatMap(\.arguments) + [.integer(cursor.rowid)]
    return ("(" + terms.map { "(\($0))" }.joined(separator: " OR ") + ")", arguments)
  }
}
