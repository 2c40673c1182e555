import PrivacyMap
import Reference

/// Figures about the devices of one operator: their categories, the data they collect, their choices and their towns.
struct OperatorDetails: Sendable {
  struct Count: Sendable {
    let code: String
    let devices: Int
  }

  /// Devices by category, by kind of data (a device can have several) and by kind of choice, the most frequent first.
  let categories, data, choices: [Count]
  /// Devices without a statement about the data.
  let dataUnknown: Int
  /// Devices with a known retention period.
  let retentionKnown: Int
  /// The towns, by number of devices.
  let towns: [(id: Int64, devices: Int)]
  /// Devices without a town within half a degree.
  let withoutTown: Int
  /// The smallest box around all devices; nil if it would be as wide as half the Earth.
  let box: BoundingBox?

  init(
    of entry: OperatorDirectory.Entry, in index: PointIndex, _ vocabulary: Vocabulary,
    towns: TownIndex?
  ) {
    let households = vocabulary.households
    var (categories, data, choices) = ([UInt8: Int](), [Int: Int](), [Int: Int]())
    var (unknown, known, without) = (0, 0, 0)
    var counts: [Int64: Int] = [:]
    var extent: (west: Int32, south: Int32, east: Int32, north: Int32)?
    index.forEachOperated(matching: OperatorDirectory.filter) { row, profile, position in
      guard entry.rows.contains(row),
        OperatorDirectory.isListable(profile, households: households)
      else { return }
      categories[profile.category, default: 0] += 1
      if profile.data == 0 { unknown += 1 }
      for bit in 0..<32 {
        if profile.data >> UInt32(bit) & 1 == 1 { data[bit, default: 0] += 1 }
        if profile.choices >> UInt32(bit) & 1 == 1 { choices[bit, default: 0] += 1 }
      }
      if profile.facts.contains(.retention) { known += 1 }
      if let town = towns?.nearest(to: position) {
        counts[town, default: 0] += 1
      } else {
        without += 1
      }
      let last =
        extent ?? (position.longitude, position.latitude, position.longitude, position.latitude)
      extent = (
        min(last.west, position.longitude), min(last.south, position.latitude),
        max(last.east, position.longitude), max(last.north, position.latitude)
      )
    }
    self.categories = Self.sorted(categories) { vocabulary.categoryCode(number: $0) }
    self.data = Self.sorted(data) { Self.term($0, .data, vocabulary) }
    self.choices = Self.sorted(choices) { Self.term($0, .choices, vocabulary) }
    (dataUnknown, retentionKnown, withoutTown) = (unknown, known, without)
    self.towns = counts.map { (id: $0.key, devices: $0.value) }
      .sorted { (-$0.devices, $0.id) < (-$1.devices, $1.id) }
    box = extent.flatMap { extent in
      let unit = FixedPosition.unitsPerDegree
      let (west, east) = (Double(extent.west) / unit, Double(extent.east) / unit)
      guard east - west <= 180 else { return nil }
      return try? BoundingBox(
        west: west, south: Double(extent.south) / unit, east: east,
        north: Double(extent.north) / unit)
    }
  }

  private static func term(_ number: Int, _ scheme: Scheme, _ vocabulary: Vocabulary) -> String? {
    vocabulary.terms(of: scheme).first { $0.number == number }?.code
  }

  private static func sorted<Key>(_ counts: [Key: Int], _ code: (Key) -> String?) -> [Count] {
    counts.compactMap { key, count in code(key).map { Count(code: $0, devices: count) } }
      .sorted { (-$0.devices, $0.code) < (-$1.devices, $1.code) }
  }
}
