import App
import Devices
import Foundation
import PrivacyMap
import Service
import SpatialDatabase

/// Fictitious devices, clustered like cities, for measurements. The same seed gives the same places and
/// facts.
struct SyntheticWorld: Sendable {
  private let app: App
  private var chance: SeededChance
  private let cities: [City]

  /// A centre with devices around it.
  private struct City {
    let longitude, latitude: Double
    /// Standard deviation of the distance from the centre, in degrees of latitude.
    let spread: Double
    /// Sum of the weights up to and including this one.
    let weight: Double
  }

  private static let batchSize = 5_000
  /// The number of cities with more than half a million people (UN, World Urbanization Prospects 2018).
  private static let cityCount = 1_100

  init(app: App, seed: UInt64) {
    self.app = app
    var chance = SeededChance(seed: seed)
    var weight = 0.0
    cities = (0..<Self.cityCount).map { rank in
      // Zipf's law: the size of a city is inverse to its rank.
      weight += 1 / Double(rank + 2)
      return City(
        longitude: chance.number(in: -175..<175), latitude: chance.number(in: -50..<62),
        spread: chance.number(in: 0.02..<0.12), weight: weight)
    }
    self.chance = chance
  }

  /// Adds devices.
  ///
  /// - Parameters:
  ///   - count: the number of devices.
  ///   - progress: called occasionally with a progress line.
  /// - Throws: an error of the database.
  func add(_ count: Int, progress: (String) -> Void) throws {
    var world = self
    let writer = app.map.writer
    let author = DeviceWriter.Author(kind: .add, comment: "synthetic")
    let started = ContinuousClock.now
    var done = 0
    if LateIndexes.mayWait(added: count, known: app.index.snapshot.count) {
      try app.database.write {
        try LateIndexes.drop($0, servesNobody: app.database.servesNobody)
      }
    }
    var next = world.portion(of: min(Self.batchSize, count))
    while done < count {
      let portion = try next.value()
      world = portion.world
      done += portion.devices.count
      // The next portion is generated while the current portion is stored.
      next = world.portion(of: min(Self.batchSize, count - done))
      // The index is updated once at the end, because no requests are served before.
      try app.database.write { connection in
        try BulkAddition.run(
          portion.devices.count, with: writer, by: author, connection
        ) { addition in
          for device in portion.devices { _ = try addition.add(device, source: nil, connection) }
        }
      }
      if done % 50_000 < Self.batchSize || done == count {
        let seconds = (ContinuousClock.now - started) / .seconds(1)
        progress("\(done) of \(count) devices, \(Int(Double(done) / max(seconds, 0.001))) a second")
      }
    }
    try LateIndexes.make(in: app.database)
    try app.index.load(from: app.database)
    try app.database.optimize()
  }

  /// A generated portion of devices, and the world after it.
  private struct Portion: Sendable {
    var devices: [DeviceRow] = []
    var world: SyntheticWorld
  }

  private func portion(of count: Int) -> Future<Portion> {
    let writer = app.map.writer
    return Future("world") {
      var portion = Portion(world: self)
      portion.devices.reserveCapacity(count)
      for _ in 0..<count {
        let (fields, placement) = portion.world.next()
        portion.devices.append(writer.row(fields, at: placement))
      }
      return portion
    }
  }

  private mutating func next() -> (DeviceFields, DeviceWriter.Placement) {
    let category = self.category()
    var fields = DeviceFields(
      name: "\(category.code) \(chance.whole(below: 1_000_000))", category: category.code)
    fields.status = chance.whole(below: 10) < 8 ? .reported : .confirmed
    fields.dataCollected = category.collects
    fields.setting = [.public, .outdoor, .indoor, nil][chance.whole(below: 4)]
    if chance.whole(below: 3) == 0 {
      fields.bearings = [Double(chance.whole(below: 360))]
      fields.fieldOfView = 60
    }
    if chance.whole(below: 4) == 0 {
      let number = chance.whole(below: 400)
      fields.answersFor = Operator(
        name: "Operator \(number)", kind: number % 2 == 0 ? .company : .public)
    }
    if chance.whole(below: 12) == 0 {
      fields.choices = [OfferedChoice(kind: chance.whole(below: 2) == 0 ? "opt_out" : "access")]
    }
    let days = Int32(chance.whole(below: 900))
    fields.observedOn = Day(daysSinceEpoch: app.environment.now().day.daysSinceEpoch - days)
    return (
      fields,
      DeviceWriter.Placement(
        place: place(), precision: category.isHousehold ? .kilometre : .exact)
    )
  }

  /// Categories are distributed unevenly, as in reality: the first ones have most devices.
  private mutating func category() -> Vocabulary.Category {
    let categories = app.vocabulary.categories
    let share = chance.number(in: 0..<1)
    let place = Int(Double(categories.count) * share * share)
    return categories[min(place, categories.count - 1)]
  }

  private mutating func place() -> Coordinate {
    let share = chance.number(in: 0..<(cities.last?.weight ?? 1))
    var low = 0
    var high = cities.count - 1
    while low < high {
      let middle = (low + high) / 2
      if cities[middle].weight <= share { low = middle + 1 } else { high = middle }
    }
    let city = cities[low]
    // Box–Muller transform: two normal numbers from two uniform ones.
    let radius = (-2 * log(1 - chance.number(in: 0..<1))).squareRoot() * city.spread
    let angle = chance.number(in: 0..<2 * .pi)
    let latitude = min(max(city.latitude + radius * sin(angle), -85), 85)
    let longitude = city.longitude + radius * cos(angle) / cos(city.latitude * .pi / 180)
    let turns = ((longitude + 180) / 360).rounded(.down)
    return Coordinate.clamped(longitude: longitude - 360 * turns, latitude: latitude)
  }
}

/// SplitMix64 (Steele, Lea and Flood 2014): fast, uniform and reproducible.
private struct SeededChance {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func number(in range: Range<Double>) -> Double {
    let share = Double(next() >> 11) / Double(1 << 53)
    return range.lowerBound + share * (range.upperBound - range.lowerBound)
  }

  mutating func whole(below limit: Int) -> Int { Int(next() % UInt64(max(1, limit))) }
}
