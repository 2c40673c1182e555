import Devices
package import PrivacyMap
import Service
package import SpatialDatabase

/// The part of a choice that other features may read for the person whose request they answer.
package struct OwnChoice: Sendable {
  package let id: String
  /// The device on the day of the request; as it is now if it was not sent.
  package let device: String
  package let operatorName: String?
  package let kind: String
  package let country: String?
  /// Where the device is in public.
  package let position: Coordinate
  /// The first period of an answer, in the form of ISO 8601.
  package let period: String
  /// Whether it was sent, and not withdrawn.
  package let isSent: Bool
  package let isWithdrawn: Bool
}

extension Choices {
  /// A choice of an account.
  ///
  /// - Throws: ``NotFound`` if the account has no such choice.
  package func own(
    _ id: String, of account: Int64, _ connection: borrowing Connection
  ) throws -> OwnChoice { try Self.own(try store.choice(id, of: account, connection), connection) }

  /// The newest choice of a kind about a device that was not withdrawn.
  package func newest(
    _ kind: String, about device: String, of account: Int64, _ connection: borrowing Connection
  ) throws -> OwnChoice? {
    let found = try store.choices(
      of: account, in: nil, about: device, before: nil, limit: 50, connection)
    return try found.lazy.filter { $0.kind == kind }
      .map { try store.withEvents($0, connection) }
      .first { $0.ledger.state != .withdrawn }.map { try Self.own($0, connection) }
  }

  private static func own(
    _ choice: StoredChoice, _ connection: borrowing Connection
  ) throws -> OwnChoice {
    let state = choice.ledger.state
    let present = state == .wanted ? try ChosenDevice(choice.device.id, connection) : nil
    let device = present ?? choice.device
    return OwnChoice(
      id: choice.id, device: device.id, operatorName: device.operatorName,
      kind: choice.kind, country: choice.country,
      position: Coordinate.clamped(longitude: device.longitude, latitude: device.latitude),
      period: choice.ledger.terms.first.text, isSent: state != .wanted && state != .withdrawn,
      isWithdrawn: state == .withdrawn)
  }

  /// Adds a choice about a device on the map.
  ///
  /// - Returns: its id.
  /// - Throws: ``NotFound``, or a refusal with the reason why there is no such choice.
  package func add(
    _ kind: String, about device: String, to account: Int64, country: String? = nil,
    region: String? = nil, language: String? = nil, details: [String: String] = [:],
    note: String? = nil, reminders: Bool = true, _ connection: borrowing Connection
  ) throws -> String {
    let found = try FoundDevice(device, for: .nobody, connection)
    guard let chosen = try ChosenDevice(found.id.text, connection) else { throw NotFound.device }
    let place = try legalPlaces.place(of: chosen, country: country, region: region)
    let terms = try terms(kind, of: chosen, in: place, connection)
    try check(language, under: terms.regime)
    return try store.add(
      ChoiceStore.New(
        device: chosen, kind: kind, country: place.country, terms: terms,
        language: language ?? writer.language(for: chosen, at: place), details: details,
        note: note, reminders: reminders), to: account, connection)
  }

  /// The last day of a period that begins on a day, under the law of a country.
  package func lastDay(of period: String, from day: Day, in country: String?) -> Day {
    rights.rule(in: country).end(of: Period(text: period) ?? .months(1), from: day)
  }

  /// The right that a kind of choice exercises, as texts name it; nil for an offer.
  package func right(of kind: String) -> String? { rights.ways[kind]?.first?.right }
}
