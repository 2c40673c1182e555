import Foundation
import JSON
@testable import Service
import Testing

@Suite struct MailWordsTests {
  let catalogue: Catalogue
  let keys: [String: Set<String>]

  init() throws {
    let folder = Repository.root.appendingPathComponent("seed/messages")
    let catalogue = try Catalogue(folders: Repository.words)
    self.catalogue = catalogue
    keys = try Dictionary(
      uniqueKeysWithValues: catalogue.languages.map { language in
        let file = folder.appendingPathComponent(language + ".json")
        let json = try JSONValue(parsing: [UInt8](Data(contentsOf: file)))
        return (language, Set(try #require(json.objectValue).members.map(\.key)))
      })
  }

  private func words(
    _ template: MailTemplate, _ values: [String: String] = [:],
    link: (path: String, seconds: Int64?)? = nil, language: String = "en",
    change: (inout InstanceSettings) -> Void = { _ in }
  ) -> MailWords {
    var settings = InstanceSettings()
    change(&settings)
    return MailWords(
      template, values, link: link, language: language, settings: settings,
      addresses: Addresses(base: "https://farol.example"), catalogue: catalogue)
  }

  @Test func `every mail has a text in every language, and a button for its link`() {
    for language in catalogue.languages {
      for template in MailTemplate.allCases {
        let name = "mail.\(template.rawValue)"
        #expect(catalogue.has("\(name).subject", in: language), "\(language) \(name)")
        #expect(catalogue.has("\(name).text", in: language), "\(language) \(name)")
        #expect(
          catalogue.has("\(name).button", in: language) == (template.link != .none),
          "\(language) \(name)")
      }
      for occasion in MailTemplate.Occasion.allCases {
        #expect(catalogue.has("mail.why.\(occasion.rawValue)", in: language))
      }
    }
  }

  @Test func `texts leave no placeholder open`() {
    for language in catalogue.languages {
      for template in MailTemplate.allCases {
        let mail = words(
          template, OutgoingMail.example(template).arguments,
          link: template.link == .none ? nil : ("/a", 7_200), language: language
        ) { $0.contact = "mapa@example.org" }
        for text in [mail.subject, mail.text, mail.html] {
          let hasKey = text.firstMatch(of: /mail\.[a-z]/) != nil
          #expect(!text.contains("{") && !hasKey, "\(language) \(template)")
        }
      }
    }
  }

  @Test func `there are no unused texts of mails`() {
    let names = Set(MailTemplate.allCases.map(\.rawValue))
    for (language, keys) in keys {
      for key in keys {
        let parts = key.split(separator: ".")
        guard parts.count == 3, parts[0] == "mail",
          ["subject", "text", "button"].contains(parts[2])
        else { continue }
        #expect(names.contains(String(parts[1])), "\(language) \(key)")
      }
    }
  }

  @Test func `user input is escaped in both parts`() {
    let nasty = "<img src=x onerror=alert(1)>\"'&{reason}{instance}\u{202E}"
    let mail = words(.warned, ["username": nasty, "reason": nasty])
    #expect(mail.text.contains("Reason: \(nasty)"))
    #expect(!mail.html.contains("<img"))
    #expect(mail.html.contains("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;{reason}"))
  }

  @Test func `line breaks of a reason are kept`() {
    let mail = words(.warned, ["username": "ana", "reason": "one\ntwo\n\nthree"])
    #expect(mail.text.contains("Reason: one\ntwo\n\nthree\n"))
    #expect(mail.html.contains("Reason: one<br>two</p>\n<p>three</p>"))
  }

  @Test func `all links begin with the configured address`() {
    let mail = words(.confirm, link: ("/confirm#token=abc", nil))
    #expect(mail.text.contains("Confirm my address:\nhttps://farol.example/confirm#token=abc\n"))
    let links = mail.html.components(separatedBy: "href=\"").dropFirst()
    #expect(links.count == 2)
    #expect(links.allSatisfy { $0.hasPrefix("https://farol.example/confirm#token=abc\"") })
    #expect(!mail.html.contains("src="))
  }

  @Test(
    arguments: [
      (3_600, "one hour"), (7_199, "one hour"), (60, "one hour"), (7_200, "2 hours"),
      (86_400, "24 hours"), (172_799, "47 hours"), (172_800, "2 days"), (604_800, "7 days"),
    ] as [(Int64, String)])
  func `the mail states how long a link is valid`(seconds: Int64, said: String) {
    let mail = words(.reset, ["username": "ana"], link: ("/reset#token=a", seconds))
    #expect(mail.text.contains("This link works for \(said)."))
    #expect(mail.html.contains("This link works for \(said)."))
  }

  @Test func `only confirmed users are greeted by name`() {
    let ana = words(.passwordChanged, ["username": "ana"], language: "pt")
    #expect(ana.text.hasPrefix("Olá, ana,\n\n"))
    let anybody = words(.confirm, ["username": "buy.example"], link: ("/a", nil))
    #expect(anybody.text.hasPrefix("Hello,\n\n"))
    #expect(!anybody.html.contains("buy.example"))
  }

  @Test func `the end names the instance, the reason and a contact`() {
    let mail = words(.warned, ["username": "ana", "reason": "x"]) {
      ($0.name, $0.contact) = ("Farol da Madeira", "mapa@example.org")
    }
    let end = mail.text.components(separatedBy: "\n-- \n").last ?? ""
    #expect(end.contains("an account at Farol da Madeira, https://farol.example\n"))
    #expect(end.contains("Questions: mapa@example.org\n"))
    #expect(!words(.warned).text.contains("Questions"))
  }

  @Test func `a subject is one line of at most 150 characters`() {
    let long = String(repeating: "é", count: 200)
    #expect(words(.confirm) { $0.name = "a\r\nb\u{2028}c" }.subject.hasSuffix("a  b c"))
    #expect(words(.confirm) { $0.name = long }.subject.unicodeScalars.count == 150)
  }
}
