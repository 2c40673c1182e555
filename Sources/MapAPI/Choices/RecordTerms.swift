import Foundation
import JSON

/// How rights, controls, states and reasons are said in DPV 2.3: `seed/rights/dpv.json`.
struct RecordTerms: Sendable {
  private let json: JSONValue

  /// - Throws: ``InvalidSeed``.
  init(directory: URL) throws {
    json = try SeedFile.json("dpv.json", in: directory)
    guard json["rights"] != nil, json["request_states"] != nil else {
      throw InvalidSeed(file: "dpv.json")
    }
  }

  /// Terms of a right; where a regime has none of its own, that it is one.
  func right(_ code: String, under regime: String) -> [String] {
    let terms = json["rights"]?[regime]?[code]?.arrayValue?.compactMap(\.stringValue)
    return terms ?? ["dpv:DataSubjectRight"]
  }

  /// The class of a record, or of its receipt.
  func type(consent: Bool, receipt: Bool) -> String {
    let names = json["records"]?[consent ? "withdraw" : "other"]
    return names?[receipt ? "receipt" : "record"]?.stringValue ?? "dpv:RightExerciseRecord"
  }

  /// The control that a kind of choice is; nil where DPV has none.
  func control(_ kind: String) -> String? { json["controls"]?[kind]?.stringValue }

  /// The status that an event, or being overdue, leads to; nil where DPV has no word.
  func status(_ state: String, consent: Bool) -> String? {
    json[consent ? "consent_states" : "request_states"]?[state]?.stringValue
  }

  /// What a legal basis becomes by an objection.
  func objected(_ legalBasis: String) -> String? { json["objected"]?[legalBasis]?.stringValue }

  /// The notice by which an operator answers.
  func notice(_ event: String) -> String? { json["notices"]?[event]?.stringValue }

  /// The justification that a reason is, of an extension or else of a refusal of a right.
  func reason(_ code: String, isExtension: Bool, of right: String?, under regime: String) -> String
  {
    let group = json["reasons"]?[regime]?[isExtension ? "extension" : "refusal"]
    let own = isExtension ? group : group?["any"]
    return own?[code]?.stringValue ?? right.flatMap { group?[$0]?[code]?.stringValue }
      ?? json["reasons"]?["otherwise"]?.stringValue ?? "dpv:Justification"
  }
}
