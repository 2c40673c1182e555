import Foundation
import JSON
import PrivacyMap
import Service

/// The rights under the law of each country: `seed/rights` (docs/reference/rights.md).
struct RightsBook: Sendable {
  /// The law that applies in a country.
  struct Jurisdiction: Sendable {
    let regime: String
    /// A code of ``authorities``.
    let authority: String
    /// The country whose public holidays apply: the country itself, or the one it belongs to.
    let holidaysOf: String
  }

  /// A right, independent of the regime.
  struct Right: Sendable {
    let code: String
    let letter: String
    /// The legal bases under which the right applies; nil for all.
    let legalBases: [String]?
    /// Texts in `en` and `pt`: `label`, `summary`, `limits`.
    let words: JSONValue
  }

  /// The right or letter that a kind of choice leads to.
  struct Way: Sendable {
    let legalBases: [String]?
    let right: String?
    let letter: String?
  }

  let rights: [Right]
  /// By code; unparsed JSON of the file.
  let regimes: [String: JSONValue]
  /// By kind of choice, in order of precedence.
  let ways: [String: [Way]]
  let jurisdictions: [String: Jurisdiction]
  let authorities: [String: JSONValue]
  private let holidays: [String: Set<Day>]
  private let reasons: [String: JSONValue]
  /// By group, in order: the code of each reason and the rights it applies to; nil for all.
  private let reasonGroups: [String: [(code: String, rights: [String]?)]]

  /// - Throws: ``InvalidSeed`` with the name of the file.
  init(directory: URL) throws {
    let law = try SeedFile.json("rights.json", in: directory)
    rights = (law["rights"]?.arrayValue ?? []).compactMap { Right($0) }
    regimes = SeedFile.byCode(law["regimes"])
    var ways: [String: [Way]] = [:]
    for member in law["choices"]?.objectValue?.members ?? [] {
      ways[member.key] = (member.value.arrayValue ?? []).map { Way($0) }
    }
    self.ways = ways
    var reasons: [String: JSONValue] = [:]
    var groups: [String: [(code: String, rights: [String]?)]] = [:]
    for group in law["reasons"]?.objectValue?.members ?? [] {
      for reason in group.value.arrayValue ?? [] {
        guard let code = reason["code"]?.stringValue else { continue }
        reasons[code] = reason
        let rights = reason["rights"]?.arrayValue?.compactMap(\.stringValue)
        groups[group.key, default: []].append((code, rights))
      }
    }
    self.reasons = reasons
    reasonGroups = groups
    jurisdictions = Self.jurisdictions(try SeedFile.json("jurisdictions.json", in: directory))
    authorities = SeedFile.byCode(
      try SeedFile.json("authorities.json", in: directory)["authorities"])
    var holidays: [String: Set<Day>] = [:]
    let days = try SeedFile.json("holidays.json", in: directory)["countries"]
    for country in days?.objectValue?.members ?? [] {
      holidays[country.key] = Set(
        (country.value.arrayValue ?? []).compactMap { $0.stringValue.flatMap { Day(text: $0) } })
    }
    self.holidays = holidays
    guard !rights.isEmpty, !regimes.isEmpty, !jurisdictions.isEmpty else {
      throw InvalidSeed(file: "rights.json")
    }
  }

  private static func jurisdictions(_ json: JSONValue) -> [String: Jurisdiction] {
    var found: [String: Jurisdiction] = [:]
    for row in json["jurisdictions"]?.arrayValue ?? [] {
      guard let country = row["country"]?.stringValue, let regime = row["regime"]?.stringValue,
        let authority = row["authority"]?.stringValue
      else { continue }
      found[country] = Jurisdiction(
        regime: regime, authority: authority,
        holidaysOf: row["part_of"]?.stringValue ?? country)
    }
    return found
  }

  /// The rule for the last day of a period in a country; only weekends are days off if it is unknown.
  func rule(in country: String?) -> DeadlineRule {
    guard let country else { return DeadlineRule() }
    return DeadlineRule(
      holidays: holidays[jurisdictions[country]?.holidaysOf ?? country] ?? [])
  }

  /// Public holidays of a country from Monday to Friday, in the year of `today` and the next two, for
  /// clients that calculate deadlines themselves.
  func freeDays(in country: String, today: Day) -> [String] {
    let year = Int(today.text.prefix(4)) ?? 0
    let years = (year...(year + 2)).map { "\($0)-" }
    return rule(in: country).holidays.map(\.text).filter { day in
      years.contains { day.hasPrefix($0) }
    }.sorted()
  }

  /// The authority of a state, if the state is known and has one for this kind of operator; otherwise
  /// the authority of the country.
  func authority(of country: String, state: String?, operatorKind: String?) -> JSONValue? {
    let sector = ["public": "public", "company": "private", "household": "private"]
    if let state, state.hasPrefix(country + "-") {
      let found = authorities.values.filter { authority in
        guard authority["region"]?.stringValue == state else { return false }
        guard let wanted = authority["sector"]?.stringValue else { return true }
        return wanted == operatorKind.flatMap { sector[$0] }
      }
      if found.count == 1 { return found.first }
    }
    return jurisdictions[country].flatMap { authorities[$0.authority] }
  }

  func right(_ code: String) -> Right? { rights.first { $0.code == code } }

  /// The provisions of a regime for a right: `article`, `cite`, `url`, `deadline`, `extension`, …
  func law(_ right: String, under regime: String) -> JSONValue? {
    regimes[regime]?["rights"]?[right]
  }

  /// The legal bases that are outside the scope of a regime.
  func outside(_ regime: String) -> [String] {
    regimes[regime]?["outside"]?.arrayValue?.compactMap(\.stringValue) ?? []
  }

  /// The codes of a group that apply to a right. Pass nil for choices that exercise no right.
  func reasonCodes(of group: String, _ right: String?) -> [String] {
    (reasonGroups[group] ?? []).filter { reason in
      reason.rights.map { rights in right.map(rights.contains) ?? false } ?? true
    }.map(\.code)
  }

  /// The text of a reason code in a language, or the given text if it is not a code.
  func reason(_ text: String, in language: String) -> String {
    reasons[text]?[language]?.stringValue ?? reasons[text]?["en"]?.stringValue ?? text
  }
}

extension RightsBook.Right {
  init?(_ json: JSONValue) {
    guard let code = json["code"]?.stringValue, let letter = json["letter"]?.stringValue else {
      return nil
    }
    self.init(
      code: code, letter: letter,
      legalBases: json["legal_bases"]?.arrayValue?.compactMap(\.stringValue), words: json)
  }

  /// Whether the right applies under a legal basis; nil if the basis is unknown.
  func isGiven(under legalBasis: String?) -> Bool {
    guard let legalBases, let legalBasis else { return true }
    return legalBases.contains(legalBasis)
  }
}

extension RightsBook.Way {
  init(_ json: JSONValue) {
    self.init(
      legalBases: json["legal_bases"]?.arrayValue?.compactMap(\.stringValue),
      right: json["right"]?.stringValue, letter: json["letter"]?.stringValue)
  }
}
