import Foundation
import JSON
import PrivacyMap
@testable import Service
import Testing
import WebServer

/// Records and receipts in JSON-LD with terms of DPV.
@Suite struct RecordTests {
  let app: TestApp
  let ana: TestAccount

  init() throws {
    app = try TestApp()
    ana = try app.account("ana")
  }

  private func device(_ legalBasis: String) throws -> String {
    try app.added(
      [
        "legal_basis": .string(legalBasis), "data_collected": ["video", "plate"],
        "purposes": ["enforce_security"], "retention": "P30D",
        "operator": ["name": "City", "kind": "public", "contact": "privacy@example.org"],
      ], as: ana)
  }

  private func record(_ id: String, _ name: String = "record") throws -> JSONValue {
    let answer = app.get("/api/choices/\(id)/\(name)", as: ana.identity)
    #expect(answer.headers["Content-Type"] == "application/ld+json")
    return try answer.json
  }

  /// The terms of DPV, with their prefix.
  private static func known() throws -> Set<String> {
    var terms: Set<String> = []
    for (file, prefix) in [
      ("dpv", "dpv"), ("pd", "pd"), ("tech", "tech"), ("eu-gdpr", "eu-gdpr"),
    ] {
      let url = Repository.root.appendingPathComponent("seed/dpv/\(file).csv")
      for line in try String(contentsOf: url, encoding: .utf8).split(separator: "\n") {
        let name = line.prefix { $0 != "," }.replacing("\"", with: "")
        terms.insert("\(prefix):\(name)")
      }
    }
    return terms
  }

  /// Every name with a prefix of DPV that is a key, a type or an id.
  private func terms(_ value: JSONValue, under key: String = "") -> Set<String> {
    func own(_ text: String) -> Set<String> {
      ["dpv:", "pd:", "tech:", "eu-gdpr:"].contains { text.hasPrefix($0) } ? [text] : []
    }
    switch value {
    case .string(let text): return key == "@id" || key == "@type" ? own(text) : []
    case .array(let items):
      return items.reduce(into: []) { $0.formUnion(terms($1, under: key)) }
    case .object(let object):
      return object.members.reduce(into: []) { found, member in
        found.formUnion(own(member.key))
        if member.key != "@context" { found.formUnion(terms(member.value, under: member.key)) }
      }
    default: return []
    }
  }

  private func hasNull(_ value: JSONValue) -> Bool {
    switch value {
    case .null: true
    case .array(let items): items.contains(where: hasNull)
    case .object(let object): object.members.contains { hasNull($0.value) }
    default: false
    }
  }

  @Test func `opting out of consent is a withdrawal, recorded as consent`() throws {
    let id = try app.choice(of: ana, about: try device("consent"), "opt_out")
    app.event(id, "sent", ["channel": "email"], as: ana)
    let record = try record(id)
    #expect(record["@type"] == "dpv:ConsentRecord" && record["dct:identifier"]?.stringValue == id)
    #expect(record["dpv:hasConsentStatus"]?[0]?["@type"] == "dpv:ConsentWithdrawn")
    #expect(record["dpv:hasRight"]?["@type"] == ["dpv:DataSubjectRight", "eu-gdpr:A7-3"])
    #expect(record["dpv:hasProcess"]?["dpv:hasConsentControl"]?["@type"] == "dpv:WithdrawConsent")
    #expect(try self.record(id, "receipt")["@type"] == "dpv:ConsentReceipt")
  }

  @Test func `opting out of legitimate interest is an objection, not a withdrawal`() throws {
    let id = try app.choice(of: ana, about: try device("legitimate_interest"), "opt_out")
    app.event(id, "sent", ["channel": "email"], as: ana)
    app.event(id, "honoured", as: ana)
    let record = try record(id)
    #expect(record["@type"] == "dpv:RightExerciseRecord")
    #expect(record["dpv:hasRight"]?["@type"] == ["dpv:DataSubjectRight", "eu-gdpr:A21"])
    let statuses = record["dpv:hasRequestStatus"]?.arrayValue?.map { $0["@type"] }
    #expect(statuses == ["dpv:RequestInitiated", "dpv:RequestFulfilled"])
    #expect(
      record["dpv:hasProcess"]?["dpv:hasConsentControl"]?["@type"] == "dpv:OptingOutFromProcess")
  }

  private func entity(_ type: String, _ record: JSONValue) throws -> JSONValue {
    let entities = try #require(record["dpv:hasEntity"]?.arrayValue)
    return try #require(
      entities.first { entity in
        let types = entity["@type"]
        return types?.stringValue == type || types?.arrayValue?.contains(.string(type)) == true
      })
  }

  @Test func `the controller is the recorded operator, and has no name if none is recorded`() throws
  {
    let known = try record(app.choice(of: ana, about: try device("consent"), "access"))
    let city = try entity("dpv:DataController", known)
    #expect(city["dpv:hasName"] == "City")
    #expect(city["@type"] == ["dpv:Organisation", "dpv:DataController"])
    #expect(city["dpv:hasContact"] == "privacy@example.org")

    let other = try app.added(["name": "Camera at the gate"], longitude: 8, as: ana)
    let unknown = try record(app.choice(of: ana, about: other, "access"))
    let nobody = try entity("dpv:DataController", unknown)
    #expect(nobody["dpv:hasName"] == nil && nobody["dpv:hasContact"] == nil)
    #expect(nobody["@type"] == ["dpv:DataController"])
    #expect(unknown["dpv:hasDataController"]?["@id"] == nobody["@id"])
    #expect(!unknown.text.contains("Camera at the gate"))
  }

  @Test func `the authority has its e-mail address`() throws {
    let id = try app.choice(of: ana, about: try device("consent"), "access", ["country": "AT"])
    let authority = try entity("dpv:DataProtectionAuthority", record(id))
    #expect(authority["dpv:hasContact"] == "dsb@dsb.gv.at")
  }

  @Test(arguments: ["access", "rectify", "erase", "restrict", "opt_out", "notice_only"])
  func `every term is part of DPV, and no value is null`(kind: String) throws {
    let known = try Self.known()
    let ways: [[(String, JSONValue)]] = [
      [], [("sent", [:])],
      [
        ("sent", ["channel": "post"]), ("acknowledged", [:]), ("extended", ["reason": "number"]),
        ("refused", ["reason": "law_requires"]), ("complained", [:]), ("withdrawn", [:]),
      ],
    ]
    let device = try device("none_stated")
    for country in ["PT", "GB"] {
      for way in ways {
        let id = try app.choice(of: ana, about: device, kind, ["country": .string(country)])
        for (event, more) in way { app.event(id, event, more, as: ana) }
        for name in ["record", "receipt"] {
          let document = try record(id, name)
          #expect(terms(document).subtracting(known).sorted() == [])
          #expect(!hasNull(document))
          #expect(!document.text.contains(ana.username) && !document.text.contains(ana.email))
          if country == "GB" { #expect(!terms(document).contains { $0.hasPrefix("eu-gdpr:") }) }
        }
      }
    }
  }
}
