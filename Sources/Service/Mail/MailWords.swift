import PrivacyMap

/// The text of a mail in one language, as plain text and as HTML.
///
/// Both have the same content. Links come only from the configured ``Addresses``; text written by users
/// is escaped in the HTML.
struct MailWords {
  let subject: String
  let text: String
  let html: String

  /// The content of a mail before layout.
  private struct Content {
    /// Paragraphs before and after the link.
    var before: [String] = []
    var after: [String] = []
    var link: (button: String, address: String)?
    /// Shown in small print.
    var footer: [String] = []
  }

  /// `values` fill the placeholders. `unsubscribe` is the address that ends the series of the mail.
  /// `link` is a path on this instance and its lifetime in seconds.
  /// `language` must be one of the catalogue's.
  init(
    _ template: MailTemplate, _ values: [String: String],
    link: (path: String, seconds: Int64?)?, unsubscribe: String? = nil, language: String,
    settings: InstanceSettings,
    addresses: Addresses, catalogue: Catalogue
  ) {
    let values = values.filter { template.arguments.contains($0.key) }
      .merging([
        "instance": settings.name, "home": addresses.base, "unsubscribe": unsubscribe ?? "",
      ]) { $1 }
    func say(_ key: String, _ own: [String: String] = [:]) -> String {
      catalogue.text(Message(key, values.merging(own) { $1 }), in: language)
    }
    let name = "mail.\(template.rawValue)"
    subject = Self.oneLine(say("\(name).subject"))

    var content = Content()
    let isNamed = values["username"] != nil
    content.before.append(say(isNamed ? "mail.greeting.name" : "mail.greeting"))
    content.before += Self.paragraphs(say("\(name).text"))
    if let link {
      content.link = (say("\(name).button"), addresses.url(link.path))
      if let seconds = link.seconds { content.after.append(Self.expiry(seconds, say)) }
    }
    content.footer.append(say("mail.why.\(template.occasion.rawValue)"))
    if let contact = settings.contact {
      content.footer.append(say("mail.contact", ["contact": contact]))
    }
    text = Self.text(content)
    let copy = content.link.map { _ in say("mail.copy") }
    html = Self.html(content, copy: copy, title: subject, language: language).source
  }

  /// In whole days from two days on, otherwise in whole hours; rounded down so as not to promise too
  /// much.
  private static func expiry(
    _ seconds: Int64, _ say: (String, [String: String]) -> String
  ) -> String {
    let (hours, days) = (max(1, seconds / 3_600), seconds / Seconds.day)
    if days >= 2 { return say("mail.expiry.days", ["count": String(days)]) }
    return hours == 1
      ? say("mail.expiry.hour", [:]) : say("mail.expiry.hours", ["count": String(hours)])
  }

  /// A subject is a single line of limited length; a device's name in it could be long.
  private static func oneLine(_ text: String) -> String {
    let line = text.unicodeScalars.prefix(150).map { scalar -> Character in
      scalar.properties.generalCategory == .control || scalar.value == 0x2028
        || scalar.value == 0x2029 ? " " : Character(scalar)
    }
    return String(line)
  }

  private static func paragraphs(_ text: String) -> [String] {
    text.split(separator: "\n\n").map(String.init)
  }

  private static func text(_ content: Content) -> String {
    var blocks = content.before
    if let link = content.link { blocks.append("\(link.button):\n\(link.address)") }
    blocks += content.after
    // “-- ” begins what mail programs know as a signature (RFC 3676 §4.3).
    return blocks.joined(separator: "\n\n") + "\n\n-- \n"
      + content.footer.joined(separator: "\n") + "\n"
  }

  private static func html(
    _ content: Content, copy: String?, title: String, language: String
  ) -> HTML {
    var body = content.before.map(paragraph)
    if let link = content.link {
      body.append(
        """
        <p style="margin:24px 0"><a href="\(link.address)" style="display:inline-block;\
        padding:12px 20px;border-radius:6px;background:#0b4f6c;color:#ffffff;\
        text-decoration:none">\(link.button)</a></p>

        """)
    }
    body += content.after.map(paragraph)
    if let link = content.link, let copy {
      body.append(
        """
        <p style="font-size:14px">\(copy)<br><a href="\(link.address)">\(link.address)</a></p>

        """)
    }
    let footer = HTML(joining: content.footer.map { line in "<p>\(lines(line))</p>\n" })
    return """
      <!doctype html>
      <html lang="\(language)">
      <head><meta charset="utf-8"><title>\(title)</title></head>
      <body style="margin:0;padding:16px;font-family:sans-serif;font-size:16px;line-height:1.5">
      <div style="max-width:36em">
      \(HTML(joining: body))<hr>
      <div style="font-size:14px">
      \(footer)</div>
      </div>
      </body>
      </html>

      """
  }

  private static func paragraph(_ text: String) -> HTML { "<p>\(lines(text))</p>\n" }

  /// Escapes text and keeps its line breaks.
  private static func lines(_ text: String) -> HTML {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    return HTML(
      joining: lines.enumerated().map { place, line -> HTML in
        place == 0 ? "\(String(line))" : "<br>\(String(line))"
      })
  }
}
