import JSON
import PrivacyMap
import Service

/// The recipient of a letter, and the channel.
struct Recipient: Sendable {
  /// `email`, `url`, `post`, or nil if unknown.
  var channel: String?
  var email: String?
  /// Lines of the postal address.
  var address: [String] = []
  var url: String?
  var name: String?
  /// The source of the contact: `device`, `suggestion` or `authority`; nil without a contact.
  var source: String?
  /// A remark to read before writing.
  var note: String?

  /// The operator of a device: the channel of its offer, otherwise its contact, otherwise a suggestion.
  static func `operator`(
    of device: ChosenDevice, offered: OfferedChoice?, country: String?, in contacts: ContactBook,
    _ say: (Message) -> String
  ) throws -> Recipient {
    var found = Recipient(name: device.operatorName)
    if let channel = offered?.channel, let target = offered?.target,
      [.email, .url, .post].contains(channel)
    {
      found.take(target, as: channel.rawValue)
      found.source = "device"
      return found
    }
    for contact in [device.protectionContact, device.operatorContact] {
      guard let contact, found.source == nil else { continue }
      found.take(contact)
      found.source = "device"
    }
    if found.source != nil { return found }
    let suggestion = try contacts.suggestion(
      name: device.operatorName, page: device.privacyPolicy, country: country)
    guard let suggestion else { return found }
    found = Recipient(
      channel: suggestion.email != nil ? "email" : suggestion.form != nil ? "url" : "post",
      email: suggestion.email, address: suggestion.address, url: suggestion.form,
      name: suggestion.name, source: "suggestion")
    found.note = say(Message("mail.letter.suggestion.\(suggestion.quality)"))
    return found
  }

  /// The authority that receives complaints.
  static func authority(_ authority: JSONValue, in language: String) -> Recipient {
    let email = authority["email"]?.stringValue
    let page = authority["complaint_page"]?.stringValue
    return Recipient(
      channel: page != nil ? "url" : email != nil ? "email" : "post", email: email,
      address: ContactBook.Contact.texts(authority["address"]),
      url: page ?? authority["web"]?.stringValue, name: authority["name"]?.stringValue,
      source: "authority", note: authority["note"]?[language]?.stringValue)
  }

  /// Parses a contact as entered by contributors: an e-mail address, a page, or a postal address.
  private mutating func take(_ contact: String, as given: String? = nil) {
    let isPage = contact.hasPrefix("https://") || contact.hasPrefix("http://")
    let isEmail = contact.contains("@") && !contact.contains(where: \.isWhitespace)
    channel = isPage ? "url" : isEmail ? "email" : given == "url" ? "url" : "post"
    switch channel {
    case "url": url = contact
    case "email":
      email = contact.hasPrefix("mailto:") ? String(contact.dropFirst(7)) : contact
    default: address = contact.split(separator: "\n").map(String.init)
    }
  }

  static let shape = JSONShape<Recipient>(
    nil, .text("channel", \.channel), .text("email", \.email),
    .texts("address") { $0.address.isEmpty ? nil : $0.address }, .text("url", \.url),
    .text("name", \.name), .text("source", \.source), .text("note", \.note))

  /// A `mailto:` URI that contains the letter (RFC 6068); nil without an address.
  func mailto(subject: String, body: String) -> String? {
    guard let email, email.contains("@") else { return nil }
    let lines = body.split(separator: "\n", omittingEmptySubsequences: false)
    return "mailto:\(Self.escaped(email, alsoPlain: "@"))?subject=\(Self.escaped(subject))"
      + "&body=\(Self.escaped(lines.joined(separator: "\r\n")))"
  }

  private static func escaped(_ text: String, alsoPlain: String = "") -> String {
    var result = ""
    for byte in text.utf8 {
      let scalar = Unicode.Scalar(byte)
      let isPlain =
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x61...0x7A).contains(byte) || "-._~".unicodeScalars.contains(scalar)
        || alsoPlain.unicodeScalars.contains(scalar)
      if isPlain {
        result.unicodeScalars.append(scalar)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
