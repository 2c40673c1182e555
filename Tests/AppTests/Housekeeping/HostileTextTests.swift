@testable import Devices
import Foundation
import Import
import JSON
@testable import Lists
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// No text of a contributor can make the database inconsistent, stop a backup or hide a device from
/// a search for its name.
@Suite struct HostileTextTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// Texts that folding, normalisation, tokenizers, JSON, CSV and SQL may handle wrongly.
  private static let pieces: [String] = short + long

  private static let short: [String] = [
    // Case: dotted and dotless i, sharp s, final sigma, letters of two cases or three, Georgian, Cherokee,
    // Deseret, the Kelvin and Ångström signs.
    "İıIi", "Straße STRASSE STRAẞE", "ΟΔΥΣΣΕΥΣ Ὀδυσσεύς ς", "Ǆ ǅ ǆ Ǳ ǲ", "ᲐᲑ აბ", "Ꭰꭰ", "𐐀𐐨",
    "K Å ſ",
    // Combining marks: composed, decomposed, in another order, many on one letter, at the beginning.
    "é e\u{301} É", "a\u{323}\u{307} a\u{307}\u{323}",
    "Z\u{335}\u{321}\u{321}\u{327}\u{300}\u{301}",
    "\u{301}first", "x \u{301}y", "\u{1100}\u{1161}\u{11A8} 각", "क्षि ஸ்ரீ", "ไทย กล้อง",
    // Width and compatibility: full width, half width, ligatures, superscripts, enclosed, Roman, fractions.
    "Ａｃｍｅ Ｃａｍｅｒａｓ", "ｱｸﾒ アクメ", "ﬁ ﬂ ﬀ ﷺ", "x² ⅷ ½ ①㏒ ㍿", "ℌ𝔥𝕳𝖍", "Ⓐⓐ",
    // Emoji: joined, with skin, flags, keycaps, tags, without their parts.
    "👩‍👩‍👧‍👦 👍🏽 🇵🇹🇵 1️⃣ 🏴󠁧󠁢󠁷󠁬󠁳󠁿", "‍♀️", "🧑‍🚀camera", "a\u{FE0F}b\u{FE0E}",
    // Right to left, tatweel, marks of Arabic and Hebrew, numerals.
    "كاميرا كـــاميرا كَامِيرَا", "מצלמה מַצְלֵמָה", "٠١٢ ۱۲۳", "العربية ABC עברית 123",
    // Separators of every kind, and characters at which tokenizers split.
    "a-b_c.d,e;f:g/h\\i|j", "a'b\"c`d", "(a){b}[c]<d>", "a*b^c~d#e%f&g+h=i@j!k?l$m",
    "— – ‑ · • … ‹›«»",
    "\"; DROP TABLE device; --", "NEAR(a b) AND OR NOT name:x", "{\"a\":[1,\"\\u0000\"]}",
    "x\\u001fy",
    "a\u{A0}b\u{2009}c\u{3000}d", "=1+1 @SUM(A1) -2", "<script>alert(1)</script>",
    "%00 %1F ../../x",
    // Four bytes, the last of a plane, private use, unassigned.
    "𠮷野家 駅前 한국어 日本", "\u{10FFFD} \u{F0000} \u{E000}", "\u{378} \u{2FE0} \u{1FFF0}", "𒀀𓀀𐎠 🀄",
    // Very short ones, digits only.
    "x", "0", "007 7",
  ]

  /// As long as a name may be: one word, characters that are words, many words, combining marks.
  private static let long: [String] = [
    String(repeating: "w", count: 118), String(repeating: "é", count: 110),
    String(repeating: "駅", count: 100), String(repeating: "a b ", count: 28).appending("z"),
    String(repeating: "e\u{301}", count: 55), String(repeating: "👩‍👩‍👧‍👦", count: 17),
  ]

  /// The texts of a contributor, some of them in several spellings.
  private static func text(_ number: Int) -> String {
    let text = pieces[number % pieces.count]
    switch number / pieces.count % 5 {
    case 0: return text
    case 1: return text.uppercased()
    case 2: return text.lowercased()
    case 3: return text.decomposedStringWithCanonicalMapping
    default: return text.precomposedStringWithCompatibilityMapping
    }
  }

  private static func properties(_ number: Int) -> JSONValue {
    let text = JSONValue.string(text(number))
    return [
      "name": text, "category": "camera_fixed", "description": text, "manufacturer": text,
      "model": text, "level": .string(String(Self.text(number).unicodeScalars.prefix(40))),
      "comment": text,
      "operator": ["name": text, "kind": .string(["company", "public"][number % 2])],
      "choices": [["kind": "access", "instructions": text, "target": text]],
    ]
  }

  /// A hundred people write every text that they may, in every spelling.
  private func write() throws -> (taken: Int, refused: Int) {
    var (taken, refused) = (0, 0)
    var ids: [(id: String, author: TestAccount)] = []
    for person in 0..<100 {
      let account = try app.account("hostile\(person)")
      for turn in 0..<3 {
        let number = person * 3 + turn
        let answer = app.add(
          Sent.feature(
            Self.properties(number), longitude: Double(number % 90) - 45,
            latitude: Double(number / 90) - 45.5), as: account.identity)
        switch answer.status {
        case .created:
          taken += 1
          ids.append((try #require(try answer.json["id"]?.stringValue), account))
        case .unprocessableContent, .badRequest: refused += 1
        default: Issue.record("\(answer.status): \(answer.text)")
        }
      }
    }
    for (place, device) in ids.enumerated() where place % 3 == 0 {
      let patch: JSONValue = [
        "properties": [
          "name": .string(Self.text(place * 7)), "description": .string(Self.text(place * 5)),
          "operator": ["name": .string(Self.text(place + Self.pieces.count)), "kind": "company"],
        ]
      ]
      let answer = try app.patch(device.id, patch, as: device.author.identity)
      let known: [Status] = [.ok, .unprocessableContent, .badRequest]
      #expect(known.contains(answer.status), "\(answer.text)")
    }
    return (taken, refused)
  }

  /// A list with the same texts, large enough for a bulk load.
  private func importThem() throws {
    let mapping = try TestApp.mapping(
      fields: #", "operator": "operator", "operator_kind": "company", "description": "name""#)
    var csv = "id,name,lon,lat,operator\n"
    for number in 0..<1_500 {
      let cells = [Self.text(number), Self.text(number + 3)].map {
        "\"" + $0.replacingOccurrences(of: "\"", with: "\"\"") + "\""
      }
      csv += "\(number),\(cells[0]),\(Double(number % 170) + 0.5),\(Double(number / 170) + 10.5),"
      csv += "\(cells[1])\n"
    }
    let report = try app.importCSV(csv, mapping)
    #expect(report.added > 1_300, "\(report.reasons)")
  }

  private func fill() throws {
    let written = try write()
    #expect(written.taken > 200, "\(written)")
    try importThem()
  }

  @Test func `a database full of hostile texts is sound`() throws {
    try fill()
    #expect(try IndexCheck(database: app.database).findings() == [])
  }

  @Test(.onlySQLite("backups copy files"))
  func `a database full of hostile texts is backed up`() throws {
    try fill()
    let made = try app.backUp()
    #expect(made.findings == [])
    #expect(try BackupCheck(folder: made.path).run().damages == [])

    app.clock.advance(by: .seconds(86_400))
    let daily = try #require(
      try Backups(
        backup: Backup(
          database: app.database, media: app.media.path, snapshots: app.folder.path,
          environment: app.environment), folder: app.backups, rules: BackupRules(),
        environment: app.environment
      ).run())
    #expect(daily.findings == [])

    let place = try RestoredPlace()
    let done = try place.restore(daily.path, from: app)
    #expect(done.devices > 1_500)
    #expect(try place.findings() == [])
  }

  @Test(arguments: pieces.indices)
  func `a text is in the full text as stored, for single and bulk additions`(
    place: Int
  ) throws {
    let text = Self.pieces[place]
    try app.devices(
      [text, text.uppercased(), text.lowercased()].map { spelling in
        var fields = DeviceFields(name: "A camera", category: "camera_fixed")
        fields.description = text
        fields.answersFor = Operator(name: spelling, kind: .company)
        return (
          fields,
          DeviceWriter.Placement(place: .clamped(longitude: 1, latitude: 2), precision: .exact)
        )
      })
    #expect(try IndexCheck(database: app.database).findings() == [])
  }
}
