import JSON
package import Pictures
package import PrivacyMap
package import SpatialDatabase

/// The changes to make to a stored device.
package struct DeviceEdit {
  /// Columns of `device` with their new values.
  package var columns: [(name: String, value: SQLValue)]
  /// The new true place.
  package var place: Coordinate?
  /// The new list of offered choices.
  package var choices: [OfferedChoice]?
  /// The new list of photos.
  package var photos: [KeptPhoto]?
  /// Whether the edit may move the device at all.
  private(set) var changesPlace = true
  package let stored: StoredDevice

  package var isEmpty: Bool {
    columns.isEmpty && place == nil && choices == nil && photos == nil
  }

  /// Whether the edit moves the true place and leaves the public point as it is.
  package var movesInsideCell: Bool {
    place != nil && !columns.contains { $0.name == "longitude" || $0.name == "latitude" }
  }

  /// The columns that describe the position of a device.
  private static let placeColumns: Set<String> = [
    "longitude", "latitude", "precision", "approximate",
  ]

  /// An edit that changes nothing yet.
  package init(of stored: StoredDevice) {
    self.stored = stored
    columns = []
  }

  /// Keeps the columns of `wanted` that differ from the stored ones and that `merging` permits to change.
  package init(
    stored: StoredDevice, wanted: [(name: String, value: SQLValue)],
    merging: DeviceWriter.Merging
  ) {
    self.stored = stored
    let assumed = Set((wanted.first { $0.name == "assumed" }?.value ?? .null).codes)
    let assumedBefore = stored.assumed
    columns = wanted.filter { column in
      var known = stored.columns[column.name] ?? .null
      guard known != column.value else { return false }
      if case .replacing = merging { return true }
      if assumed.contains(column.name) {
        // An assumed value never replaces another value, known or assumed.
        guard known.isUnknown else { return false }
      } else if assumedBefore.contains(column.name) {
        known = .null
      }
      return Self.mayChange(column.name, from: known, to: column.value, merging)
    }
    if case .replacing = merging {} else { settleAssumed(wanted: assumed) }
    switch merging {
    case .replacing, .overlaying(keepsPlace: false): break
    case .overlaying(keepsPlace: true), .filling: changesPlace = false
    }
  }

  private static func mayChange(
    _ name: String, from known: SQLValue, to value: SQLValue, _ merging: DeviceWriter.Merging
  ) -> Bool {
    switch merging {
    case .replacing: true
    case .overlaying(let keepsPlace):
      !value.isUnknown && !(keepsPlace && placeColumns.contains(name))
        // A source list gives "reported" for every device; this does not override a status that people confirmed.
        && !(name == "status" && value == "reported")
    case .filling:
      known.isUnknown && !value.isUnknown && !placeColumns.contains(name)
    }
  }

  /// Updates the list of assumed fields to match the edited device. A field stays assumed until it gets a value, and
  /// becomes assumed only if it was unknown.
  private mutating func settleAssumed(wanted: Set<String>) {
    let changed = Set(columns.map(\.name))
    assume(
      stored.assumed.filter { !changed.contains($0) || wanted.contains($0) }
        .union(wanted.intersection(changed)))
  }

  /// Replaces the list of assumed fields.
  package mutating func assume(_ names: Set<String>) {
    columns.removeAll { $0.name == "assumed" }
    if names != stored.assumed {
      columns.append(("assumed", .text(JSONText.strings(names.sorted()))))
    }
  }

  /// Updates the stale day to match the edited device.
  package mutating func settleStaleDay(_ fields: DeviceFields, vocabulary: Vocabulary) {
    columns.removeAll { $0.name == "stale_on" }
    func settled(_ name: String) -> SQLValue {
      columns.first { $0.name == name }?.value ?? stored.columns[name] ?? .null
    }
    var seen = fields
    seen.lastConfirmed = settled("last_confirmed").textValue.flatMap { Timestamp(text: $0) }
    seen.observedOn = settled("observed_on").textValue.flatMap { Day(text: $0) }
    let category = settled("category").textValue ?? fields.category
    let months = vocabulary.category(category)?.staleMonths ?? 24
    let staleOn = SQLValue.text(seen.staleOn(after: months, addedOn: stored.addedOn).text)
    if stored.columns["stale_on"] != staleOn { columns.append(("stale_on", staleOn)) }
  }

  /// Updates the public point to match the new true place and precision.
  package mutating func settlePublicPoint() {
    let precision = columns.first { $0.name == "precision" }?.value ?? stored.columns["precision"]
    guard let place = place ?? stored.place,
      let precision = precision?.textValue.flatMap(Precision.init(rawValue:))
    else { return }
    let point = precision.publicPoint(for: place)
    columns.removeAll { $0.name == "longitude" || $0.name == "latitude" }
    columns += [("longitude", .real(point.longitude)), ("latitude", .real(point.latitude))]
  }

  /// Metres between the old and the new public point, both at the coarser of the two precisions.
  var shownDistance: Double {
    func shown(_ value: (String) -> SQLValue?) -> (Coordinate, Precision) {
      (
        .clamped(
          longitude: value("longitude")?.realValue ?? 0, latitude: value("latitude")?.realValue ?? 0
        ),
        value("precision")?.textValue.flatMap(Precision.init(rawValue:)) ?? .area
      )
    }
    let (before, precision) = shown { stored.columns[$0] }
    let (after, other) = shown { name in
      columns.first { $0.name == name }?.value ?? stored.columns[name]
    }
    let coarser = precision.coarser(other)
    return coarser.publicPoint(for: before).distance(to: coarser.publicPoint(for: after))
  }

  /// Removes values that equal the stored ones.
  package mutating func dropUnchanged() {
    columns.removeAll { stored.columns[$0.name] == $0.value }
    if place == stored.place { place = nil }
    if choices == stored.choices { choices = nil }
    if photos == stored.photos { photos = nil }
  }
}
