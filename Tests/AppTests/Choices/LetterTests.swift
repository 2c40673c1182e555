import Foundation
import JSON
import PrivacyMap
@testable import Rights
import Testing
import WebServer

/// Letters from the templates of `seed/letters`, completed.
@Suite struct LetterTests {
  private static let seed = Repository.root.appendingPathComponent("seed")

  private static func book() throws -> LetterBook {
    try LetterBook(directory: seed.appendingPathComponent("letters"))
  }

  @Test func `every example gives exactly its letter`() throws {
    let book = try Self.book()
    let file = Self.seed.appendingPathComponent("letters/examples.json")
    let examples = try JSONValue(parsing: [UInt8](Data(contentsOf: file)))["examples"]?.arrayValue
    let found = try #require(examples)
    #expect(found.count >= 3)
    for example in found {
      let name = (example["letter"]?.stringValue ?? "").split(separator: "/").map(String.init)
      try #require(name.count == 3)
      var values: [String: String] = [:]
      for member in example["values"]?.objectValue?.members ?? [] {
        values[member.key] = member.value.stringValue
      }
      let filled = try #require(book.fill(name[2], under: name[0], in: name[1], with: values))
      #expect(filled.subject == example["subject"]?.stringValue)
      #expect(filled.body == example["body"]?.stringValue)
      #expect(filled.missing == [])
    }
  }

  @Test func `a missing required value is named, an optional one is left out`() throws {
    let book = try Self.book()
    let filled = try #require(
      book.fill("rectify", under: "eu-gdpr", in: "en", with: ["device_name": "A {name}\n camera"]))
    #expect(filled.subject.contains("A {name} camera"))
    #expect(filled.missing.contains("correction") && filled.missing.contains("name"))
    #expect(!filled.missing.contains("operator"))
    #expect(filled.body.contains("the controller responsible for this device"))
    #expect(!filled.body.contains("When I was there"))
    #expect(book.fill("rectify", under: "eu-gdpr", in: "xx", with: [:]) == nil)
    #expect(book.fill("bribe", under: "eu-gdpr", in: "en", with: [:]) == nil)
  }

  @Test(arguments: [
    ("eu-gdpr", "pt", false), ("eu-gdpr", "de", true), ("us-state", "en", true),
    ("none", "en", false),
  ])
  func `letters that no lawyer has checked are marked`(
    family: String, language: String, isUnreviewed: Bool
  ) throws {
    #expect(try Self.book().isUnreviewed(family, in: language) == isUnreviewed)
  }

  @Test func `a letter says whether a lawyer has checked its words`() throws {
    let app = try TestApp()
    let device = try app.device()
    for (language, isUnreviewed) in [("en", false), ("fr", true)] {
      let letter = app.get(
        "/api/letters",
        ["device": device.id, "kind": "access", "country": "FR", "lang": language])
      #expect(try letter.json["unreviewed"] == .bool(isUnreviewed))
    }
  }

  @Test func `an organisation is suggested by name or site, if there is only one`() throws {
    let book = try ContactBook(directory: Self.seed.appendingPathComponent("contacts"))
    let found = try #require(try book.suggestion(name: "1BLU  ag", page: nil, country: "DE"))
    #expect(found.email == "datenschutzbeauftragter@1blu.de" && found.quality == "verified")
    #expect(try book.suggestion(name: "1blu AG", page: nil, country: "PT") == nil)
    #expect(
      try book.suggestion(name: nil, page: "https://www.1blu.de/privacy", country: nil)?.name
        == "1blu AG")
    #expect(try book.suggestion(name: "Nobody of that name", page: nil, country: nil) == nil)
    #expect(try book.suggestion(name: nil, page: "no address", country: nil) == nil)
  }

  @Test func `a mail program gets the complete letter`() {
    let to = Recipient(channel: "email", email: "privacy@example.org")
    #expect(
      to.mailto(subject: "Ação & more", body: "one\ntwo")
        == "mailto:privacy@example.org?subject=A%C3%A7%C3%A3o%20%26%20more&body=one%0D%0Atwo")
    #expect(Recipient().mailto(subject: "", body: "") == nil)
  }
}
