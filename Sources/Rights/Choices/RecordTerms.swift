import Foundation
import JSON
import Service

/// DPV 2.3 terms for rights, controls, states and reasons: `seed/rights/dpv.json`.
struct RecordTerms: Sendable {
  private let json: JSONValue

  /// - Throws: ``InvalidSeed``.
  init(directory: URL) throws {
    json = try SeedFile.json("dpv.json", in: directory)
    guard json["rights"] != nil, json["request_states"] != nil else {
      throw InvalidSeed(file: "dpv.json")
    }
  }

  /// The terms of a right, or the general term for rights if the regime has no specific one.
  func right(_ code: String, under regime: String) -> [String] {
    let terms = json["rights"]?[regime]?[code]?.arrayValue?.compactMap(\.stringValue)
    return terms ?? ["dpv:DataSubjectRight"]
  }

  /// The class of a record or receipt.
  func type(consent: Bool, receipt: Bool) -> String {
    let names = json["records"]?[consent ? "withdraw" : "other"]
    return names?[receipt ? "receipt" : "record"]?.stringValue ?? "dpv:RightExerciseRecord"
  }

  /// The control for a kind of choice; nil if DPV lacks one.
  func control(_ kind: String) -> String? { json["controls"]?[kind]?.stringValue }

  /// The status after an event, or when overdue; nil if DPV has no term.
  func status(_ state: String, consent: Bool) -> String? {
    json[consent ? "consent_states" : "request_states"]?[state]?.stringValue
  }

  /// The term for a legal basis after an objection.
  func objected(_ legalBasis: String) -> String? { json["objected"]?[legalBasis]?.stringValue }

  /// The notice with which an operator answers.
  func notice(_ event: String) -> String? { json["notices"]?[event]?.stringValue }

  /// The justification for a reason of an extension or of a refusal of a right.
  func reason(_ code: String, isExtension: Bool, of right: String?, under regime: String) -> String
  {
    let group = json["reasons"]?[regime]?[isExtension ? "extension" : "refusal"]
    let own = isExtension ? group : group?["any"]
    return own?[code]?.stringValue ?? right.flatMap { group?[$0]?[code]?.stringValue }
      ?? json["reasons"]?["otherwise"]?.stringValue ?? "dpv:Justification"
  }
}
