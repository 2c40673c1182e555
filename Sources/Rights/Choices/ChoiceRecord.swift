import JSON
import PrivacyMap
import Reference
import Secrets
import Service
import SpatialDatabase

/// A choice as a consent record or a record of an exercised right, in JSON-LD with terms of DPV 2.3
/// and, for consent, the fields of ISO/IEC TS 27560.
///
/// A withdrawal concerns consent. Every other kind, including an objection, exercises a right.
struct ChoiceRecord {
  let choice: StoredChoice
  let choices: Choices
  /// DPV terms for the codes of the device.
  private let vocabulary: Words

  /// The terms of one device, by field.
  private struct Words {
    var purposes: [String] = []
    var data: [String] = []
    var basis: [String] = []
  }

  init(
    _ choice: StoredChoice, _ choices: Choices, _ connection: borrowing Connection
  ) throws {
    self.choice = choice
    self.choices = choices
    var words = Words()
    for code in choice.device.purposes {
      words.purposes += try Self.terms("purposes", code, connection)
    }
    for code in choice.device.dataCollected {
      words.data += try Self.terms("data", code, connection)
    }
    if let code = choice.device.legalBasis {
      words.basis = try Self.terms("legal_bases", code, connection)
    }
    vocabulary = words
  }

  private static func terms(
    _ scheme: String, _ code: String, _ connection: borrowing Connection
  ) throws -> [String] {
    ChosenDevice.codes(try TaxonomyStore().dpv(scheme, code, connection) ?? "[]")
  }

  /// Every prefix of the record, so that reading it requires no external context.
  private static let context: JSONValue = [
    "dpv": "https://w3id.org/dpv#", "pd": "https://w3id.org/dpv/pd#",
    "tech": "https://w3id.org/dpv/tech#", "loc": "https://w3id.org/dpv/loc#",
    "eu-gdpr": "https://w3id.org/dpv/legal/eu/gdpr#", "dct": "http://purl.org/dc/terms/",
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "schema": "https://schema.org/",
  ]
  private static let profile = "https://w3id.org/dpv/schema/dpv-27560"

  private var isConsent: Bool { choice.right == "withdraw" }
  private var regime: String { choice.regime ?? "" }
  private var choiceURL: String { choices.addresses.url("/choices/\(choice.id)") }
  private var operatorID: String {
    "\(choices.addresses.url("/devices/\(choice.device.id)"))#operator"
  }
  /// The Farol instance that stores the ledger.
  private var keeperID: String { choices.addresses.url("/") }
  private var subjectID: String { "urn:uuid:\(Self.uuid("subject \(choice.id)"))" }

  /// A UUID derived from a text without revealing it (version 8, RFC 9562).
  private static func uuid(_ text: String) -> String {
    var bytes = Array(Digest.sha256(Array(text.utf8)).prefix(16))
    bytes[6] = 0x80 | (bytes[6] & 0x0F)
    bytes[8] = 0x80 | (bytes[8] & 0x3F)
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Hexadecimal.text(of: bytes[$0]) }
      .joined(separator: "-")
  }

  /// The record as a separate document.
  var record: JSONValue { document(body) }

  /// A receipt: the record with a new id and time.
  func receipt(at now: Timestamp) -> JSONValue {
    let id = Self.uuid("receipt \(choice.id) \(choice.ledger.entries.count) \(now.text)")
    var members = JSONObject([
      ("@id", .string("urn:uuid:\(id)")),
      ("@type", .string(choices.records.type(consent: isConsent, receipt: true))),
      ("dct:identifier", .string(id)), ("dct:created", .string(now.text)),
    ])
    if isConsent { members["dct:conformsTo"] = profile("receipt") }
    members["dpv:hasDataSubject"] = Self.id(subjectID)
    members["dpv:hasDataController"] = Self.id(operatorID)
    members["dct:publisher"] = Self.id(keeperID)
    members["schema:recipient"] = Self.id("dpv:DataSubject")
    members["dpv:hasRecordOfActivity"] = .object(body)
    return document(members)
  }

  private func document(_ members: JSONObject) -> JSONValue {
    .object(JSONObject([(key: "@context", value: Self.context)] + members.members))
  }

  private static func id(_ text: String) -> JSONValue { ["@id": .string(text)] }

  private static func ids(_ texts: [String]) -> JSONValue? {
    texts.isEmpty ? nil : .array(texts.map(id))
  }

  private func profile(_ kind: String) -> JSONValue? {
    Self.id("\(Self.profile)#\(kind)\(regime == "eu-gdpr" ? "-eu-gdpr" : "")")
  }

  private var body: JSONObject {
    var members = JSONObject([
      ("@id", .string("urn:uuid:\(choice.id)")),
      ("@type", .string(choices.records.type(consent: isConsent, receipt: false))),
      ("dct:identifier", .string(choice.id)), ("dct:created", .string(choice.createdAt)),
      ("dct:modified", .string(choice.updatedAt)),
    ])
    if isConsent { members["dct:conformsTo"] = profile("record") }
    members["dpv:hasDataSubject"] = Self.id(subjectID)
    members["dpv:hasJurisdiction"] = choice.country.map { Self.id("loc:\($0)") }
    members["dpv:hasDataController"] = Self.id(operatorID)
    members["dpv:hasEntity"] = .array(entities)
    members["dpv:hasNotice"] = notice
    members["dpv:hasProcess"] = process
    members["dpv:hasRight"] = right
    members["dpv:hasAuthority"] = authority.map { Self.id($0.id) }
    if let date = choice.ledger.lastDay { members["schema:expires"] = .string(date.text) }
    members["dpv:hasDuration"] = duration(choice.ledger.terms.first.text)
    if !statuses.isEmpty {
      members[isConsent ? "dpv:hasConsentStatus" : "dpv:hasRequestStatus"] = .array(statuses)
    }
    return members
  }

  private func duration(_ text: String) -> JSONValue {
    ["@type": "dpv:TemporalDuration", "rdf:value": .string(text)]
  }

  /// The operator of the device. If no operator is recorded, the record states only that there is a controller: neither
  /// its name nor whether it is an organisation is known.
  private var controller: JSONValue {
    let name = choice.device.operatorName
    var members = JSONObject([
      ("@id", .string(operatorID)),
      (
        "@type",
        name == nil ? ["dpv:DataController"] : ["dpv:Organisation", "dpv:DataController"]
      ),
    ])
    if let name { members["dpv:hasName"] = .string(name) }
    members["dpv:hasIdentifier"] = .string(operatorID)
    if let contact = choice.device.protectionContact ?? choice.device.operatorContact {
      members["dpv:hasContact"] = .string(contact)
    }
    return .object(members)
  }

  private var entities: [JSONValue] {
    let subject: JSONValue = ["@id": .string(subjectID), "@type": "dpv:DataSubject"]
    let keeper: JSONValue = [
      "@id": .string(keeperID), "@type": "dpv:ServiceProvider",
      "dpv:hasName": .string(choices.instance), "dpv:hasIdentifier": .string(keeperID),
    ]
    return [subject, controller, keeper] + (authority.map { [$0.json] } ?? [])
  }

  private var authority: (id: String, json: JSONValue)? {
    guard
      let found = choices.writer.authority(of: choice.country, choice.regime, for: choice.device),
      let page = found["web"]?.stringValue, let name = found["name"]?.stringValue
    else { return nil }
    var members = JSONObject([
      ("@id", .string(page)), ("@type", "dpv:DataProtectionAuthority"),
      ("dpv:hasName", .string(name)), ("dpv:hasIdentifier", .string(page)),
    ])
    if let email = found["email"]?.stringValue { members["dpv:hasContact"] = .string(email) }
    return (page, .object(members))
  }

  /// The notice that informed people: the operator's policy, otherwise the device page.
  private var notice: JSONValue {
    let device = choices.addresses.url("/devices/\(choice.device.id)")
    return [
      "@id": .string(choice.device.privacyPolicy ?? "\(device)#notice"),
      "@type": .string(isConsent ? "dpv:ConsentNotice" : "dpv:PrivacyNotice"),
      "dct:language": .string(choice.language),
    ]
  }

  private var process: JSONValue {
    var members = JSONObject([
      ("@type", "dpv:Process"),
      ("tech:hasDevice", Self.id(choices.addresses.url("/devices/\(choice.device.id)"))),
    ])
    members["dpv:hasPurpose"] = Self.ids(unique(vocabulary.purposes)) ?? Self.id("dpv:Purpose")
    members["dpv:hasPersonalData"] =
      Self.ids(unique(vocabulary.data)) ?? Self.id("dpv:PersonalData")
    members["dpv:hasLegalBasis"] = Self.ids(bases)
    members["dpv:hasRecipient"] = Self.id(operatorID)
    members["dpv:hasStorageCondition"] = storage
    if let control = choices.records.control(isConsent ? "withdraw" : choice.kind) {
      members["dpv:hasConsentControl"] = [
        "@type": .string(control), "dpv:isExercisedAt": Self.id(choiceURL),
      ]
    }
    members["dpv:hasRight"] = right
    return .object(members)
  }

  private func unique(_ terms: [String]) -> [String] { Array(Set(terms)).sorted() }

  /// The legal bases. Articles of the GDPR are omitted where the United Kingdom's law applies.
  private var bases: [String] {
    let known = vocabulary.basis.filter { regime == "eu-gdpr" || !$0.hasPrefix("eu-gdpr:") }
    if !known.isEmpty { return known }
    return isConsent ? ["dpv:Consent"] : []
  }

  private var storage: JSONValue {
    let text = choice.device.retention ?? "unknown"
    guard text.hasPrefix("P") else {
      return [
        "@type": "dpv:StorageDuration",
        "dpv:hasDuration": ["@type": "dpv:IndeterminateDuration", "rdf:value": .string(text)],
      ]
    }
    return ["@type": "dpv:StorageDuration", "dpv:hasDuration": duration(text)]
  }

  private var right: JSONValue? {
    guard let code = choice.right else { return nil }
    let terms = choices.records.right(code, under: regime)
    var members = JSONObject([
      (
        "@type",
        .array(unique(terms + ["dpv:DataSubjectRight"]).map { .string($0) })
      ),
      ("dpv:isExercisedAt", Self.id(choiceURL)),
    ])
    let law = choices.rights.law(code, under: regime)
    if let url = law?["url"]?[choice.language]?.stringValue {
      members["dct:source"] = Self.id(url)
    }
    return .object(members)
  }

  /// One status per event that has a DPV term, in order, and one if the answer is overdue. If consent
  /// has not been withdrawn yet, its status is unknown.
  private var statuses: [JSONValue] {
    var found = choice.ledger.entries.compactMap { status($0) }
    if found.isEmpty, let term = choices.records.status("wanted", consent: isConsent) {
      var members = JSONObject([
        ("@type", .string(term)), ("dpv:isIndicatedAtTime", .string(choice.createdAt)),
        ("dpv:isIndicatedBy", Self.id(subjectID)),
      ])
      members["dpv:hasDuration"] = lasting(term)
      return [.object(members)]
    }
    if choice.ledger.isOverdue(on: choices.today), let day = choice.ledger.lastDay,
      let term = choices.records.status("overdue", consent: isConsent)
    {
      let time = Timestamp(startOf: day.adding(days: 1)).text
      var members = JSONObject([
        ("@type", .string(term)), ("dpv:isIndicatedAtTime", .string(time)),
        ("dpv:isIndicatedBy", Self.id(keeperID)),
      ])
      members["dpv:hasDuration"] = lasting(term)
      found.append(.object(members))
    }
    return found
  }

  /// The duration of a consent status: endless for withdrawn, indeterminate for unknown.
  private func lasting(_ status: String) -> JSONValue? {
    guard isConsent else { return nil }
    let isKnown = status != "dpv:ConsentUnknown"
    return ["@type": .string(isKnown ? "dpv:EndlessDuration" : "dpv:IndeterminateDuration")]
  }

  private func status(_ entry: LedgerEntry) -> JSONValue? {
    let event = entry.event.rawValue
    guard let term = choices.records.status(event, consent: isConsent) else { return nil }
    let entity = entry.by == .operator ? operatorID : subjectID
    var members = JSONObject([
      ("@type", .string(term)), ("dpv:isIndicatedAtTime", .string(entry.at.text)),
      ("dpv:isIndicatedBy", Self.id(entity)), ("dct:title", .string(event)),
    ])
    members["dpv:hasDuration"] = lasting(term)
    if let channel = entry.channel {
      members["dpv:hasIndicationMethod"] = .string(channel.rawValue)
    }
    if let reason = entry.reason, entry.event == .extended || entry.event == .refused {
      let term = choices.records.reason(
        reason, isExtension: entry.event == .extended, of: choice.right, under: regime)
      members["dpv:hasJustification"] = [
        "@type": .string(term),
        "dct:description": .string(choices.rights.reason(reason, in: choice.language)),
      ]
    }
    if let notice = choices.records.notice(event) {
      members["dpv:hasNotice"] = ["@type": .string(notice)]
    }
    if entry.event == .honoured, choice.right == "object", regime == "eu-gdpr",
      let term = choice.device.legalBasis.flatMap({ choices.records.objected($0) })
    {
      members["dpv:hasStatus"] = Self.id(term)
    }
    return .object(members)
  }
}
