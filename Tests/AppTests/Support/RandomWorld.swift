@testable import Devices
import Foundation
import PrivacyMap
import WebServer

/// Devices of every kind, the same in every run, and the expected results of filters, computed
/// without index or SQL.
struct RandomWorld {
  struct Entry {
    var fields: DeviceFields
    var placement: DeviceWriter.Placement
    var stored: TestDevice

    var point: Coordinate { placement.precision.publicPoint(for: placement.place) }
  }

  private(set) var entries: [Entry] = []
  let vocabulary: Vocabulary
  let today: Day

  static let operators = [
    Operator(name: "Stadt Bern", kind: .public), Operator(name: "Câmara de Évora", kind: .public),
    Operator(name: "Acme, Inc.", kind: .company), Operator(kind: .household),
  ]
  static let words = ["north", "gate", "Schloß", "praça", "camera", "駅前", "Nº 5"]

  /// Adds `count` devices to `app` in one transaction.
  init(_ app: TestApp, count: Int, seed: UInt64 = 1) throws {
    vocabulary = app.vocabulary
    today = app.clock.now.day
    var numbers = SeededNumbers(seed: seed)
    var made: [(fields: DeviceFields, placement: DeviceWriter.Placement)] = []
    for number in 0..<count {
      made.append((fields(number, &numbers), try placement(&numbers)))
    }
    let stored = try app.devices(made)
    entries = zip(made, stored).map { made, stored in
      Entry(fields: made.fields, placement: made.placement, stored: stored)
    }
  }

  private func fields(_ number: Int, _ numbers: inout SeededNumbers) -> DeviceFields {
    let category = vocabulary.categories.randomElement(using: &numbers)?.code ?? "other"
    let words = Self.words.shuffled(using: &numbers)
    var fields = DeviceFields(name: "\(words[0]) \(number % 7)", category: category)
    fields.description = number % 3 == 0 ? "Near the \(words[1])." : nil
    fields.status = DeviceStatus.allCases.randomElement(using: &numbers) ?? .reported
    fields.setting = number % 4 == 0 ? nil : Setting.allCases.randomElement(using: &numbers)
    fields.answersFor = number % 3 == 0 ? nil : Self.operators.randomElement(using: &numbers)
    fields.manufacturer = number % 5 == 0 ? nil : words[2]
    let data = vocabulary.terms(of: .data).map(\.code).shuffled(using: &numbers)
    fields.dataCollected = Array(data.prefix(number % 4))
    let choices = vocabulary.terms(of: .choices).map(\.code).shuffled(using: &numbers)
    fields.choices = choices.prefix(number % 3).map { OfferedChoice(kind: $0) }
    let age = Int32.random(in: 0..<1_200, using: &numbers)
    fields.observedOn = number % 6 == 0 ? nil : Day(daysSinceEpoch: today.daysSinceEpoch - age)
    if number % 4 == 1 {
      fields.lastConfirmed = Timestamp(startOf: Day(daysSinceEpoch: today.daysSinceEpoch - age / 2))
    }
    let zones = vocabulary.terms(of: .zones).map(\.code)
    fields.zone = number % 3 == 0 ? nil : zones[number % zones.count]
    let bases = vocabulary.terms(of: .legalBases).map(\.code)
    fields.legalBasis = number % 2 == 0 ? nil : bases[number % bases.count]
    fields.retention = [nil, "P30D", "none", "indefinite"][number % 4]
    fields.bearings = number % 2 == 0 ? [Double(number % 360)] : []
    return fields
  }

  private func placement(_ numbers: inout SeededNumbers) throws -> DeviceWriter.Placement {
    // Half in one city, half anywhere, some at exactly the same position.
    let isNear = Bool.random(using: &numbers)
    let longitude =
      isNear
      ? Double.random(in: 7.3...7.6, using: &numbers) : .random(in: -180...180, using: &numbers)
    let latitude =
      isNear
      ? Double.random(in: 46.8...47.1, using: &numbers) : .random(in: -85...85, using: &numbers)
    let isRound = Int.random(in: 0..<5, using: &numbers) == 0
    let place = try Coordinate(
      longitude: isRound ? longitude.rounded() : longitude,
      latitude: isRound ? latitude.rounded() : latitude)
    return DeviceWriter.Placement(
      place: place, precision: Precision.allCases.randomElement(using: &numbers) ?? .exact)
  }

  /// The ids of the entries that `isMeant` accepts, in order of addition.
  func ids(where isMeant: (Entry) -> Bool) -> [String] {
    entries.filter(isMeant).map(\.stored.id)
  }

  /// Whether a device exists, in the sense of lists without a status filter.
  func stands(_ entry: Entry) -> Bool { DeviceStatus.standing.contains(entry.fields.status) }

  func staleOn(_ entry: Entry) -> Day {
    let months = vocabulary.category(entry.fields.category)?.staleMonths ?? 24
    return entry.fields.staleOn(after: months, addedOn: today)
  }
}
