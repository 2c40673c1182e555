import Foundation
import JSON
import PrivacyMap
import Service

/// The rights under the law of each country: `seed/rights` (docs/reference/rights.md).
struct RightsBook: Sendable {
  /// The law that applies in a country.
  struct Jurisdiction: Sendable {
    /// Nil if each state has its own: see ``StateLaw``.
    let regime: String?
    /// A code of ``authorities``; nil if each state has its own.
    let authority: String?
    /// The languages of its authorities, if they differ from the languages of ``authority``, and the languages of its
    /// regions by the region's name in the gazetteer.
    let languages: [String]?
    let regionLanguages: JSONValue?
    /// A public register in which to look for an operator: `name`, `url`.
    let register: JSONValue?
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
  }

  let rights: [Right]
  /// By code; unparsed JSON of the file.
  let regimes: [String: JSONValue]
  /// By kind of choice, in order of precedence.
  let ways: [String: [Way]]
  let jurisdictions: [String: Jurisdiction]
  let authorities: [String: JSONValue]
  /// The states of a country whose law differs by state.
  let states: StateLaw
  private let holidays: [String: Set<Day>]
  private let reasons: [String: JSONValue]
  /// By group, in order: the code of each reason and the rights it applies to; nil for all.
  private let reasonGroups: [String: [(code: String, rights: [String]?)]]

  /// - Throws: ``InvalidSeed`` with the name of the file.
  init(directory: URL) throws {
    let law = try SeedFile.json("rights.json", in: directory)
    rights = (law["rights"]?.arrayValue ?? []).compactMap { Right($0) }
    states = StateLaw(try SeedFile.json("us.json", in: directory))
    regimes = SeedFile.byCode(law["regimes"]).merging(states.regimes) { $1 }
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
      guard let country = row["country"]?.stringValue else { continue }
      found[country] = Jurisdiction(
        regime: row["by_state"] == true ? nil : row["regime"]?.stringValue,
        authority: row["authority"]?.stringValue,
        languages: row["languages"]?.arrayValue?.compactMap(\.stringValue),
        regionLanguages: row["region_languages"], register: row["register"],
        holidaysOf: row["part_of"]?.stringValue ?? country)
    }
    return found
  }

  /// Whether each state of a country has its own law.
  func hasStateLaw(_ country: String) -> Bool {
    jurisdictions[country] != nil && states.country == country
  }

  /// Whether the law or the language of a country depends on the region.
  func dependsOnRegion(_ country: String) -> Bool {
    hasStateLaw(country) || jurisdictions[country]?.regionLanguages != nil
  }

  /// The code of a state by its English name; nil if it is unknown.
  func state(named name: String, in country: String) -> String? {
    guard country == states.country else { return nil }
    return states.states.first { $0.names["en"]?.stringValue == name }?.code
  }

  /// The regime that applies at a place; nil if Farol does not know the law there.
  func regime(in place: LegalPlace) -> String? {
    guard let country = place.country, let jurisdiction = jurisdictions[country] else { return nil }
    if let regime = jurisdiction.regime { return regimes[regime] == nil ? nil : regime }
    let regime = StateLaw.regime(of: place.region ?? "")
    return hasStateLaw(country) && states.regimes[regime] != nil ? regime : nil
  }

  /// The family of letters of a regime: a folder of `seed/letters`.
  func family(of regime: String) -> String {
    regimes[regime]?["letters"]?.stringValue ?? regime
  }

  /// The language for letters at a place: the first language of its authority that is available,
  /// otherwise English.
  func language(at place: LegalPlace, authority: JSONValue?, among available: [String]) -> String {
    let jurisdiction = place.country.flatMap { jurisdictions[$0] }
    let own = place.regionName.flatMap { jurisdiction?.regionLanguages?[$0]?.arrayValue }
    let wanted =
      own?.compactMap(\.stringValue) ?? jurisdiction?.languages
      ?? authority?["languages"]?.arrayValue?.compactMap(\.stringValue) ?? []
    return wanted.first(where: available.contains) ?? "en"
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
    return jurisdictions[country]?.authority.flatMap { authorities[$0] }
  }

  func right(_ code: String) -> Right? { rights.first { $0.code == code } }

  /// The provisions of a regime for a right: `article`, `cite`, `url`, `deadline`, `extension`, …
  func law(_ right: String, under regime: String) -> JSONValue? {
    regimes[regime]?["rights"]?[right]
  }

  /// Whether a right of a regime applies to a kind of operator; unknown kinds are not excluded.
  func applies(_ law: JSONValue, to operatorKind: String?) -> Bool {
    guard let kinds = law["operators"]?.arrayValue, let operatorKind, operatorKind != "unknown"
    else { return true }
    return kinds.contains(.string(operatorKind))
  }

  /// The texts of all reasons in a language, by code.
  func reasonTexts(in language: String) -> [(key: String, value: String)] {
    reasons.keys.sorted().map { ($0, reason($0, in: language)) }
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
      right: json["right"]?.stringValue)
  }
}
