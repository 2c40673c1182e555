package import JSON
import WrittenValues

/// The kept columns that are public: columns on the allow-list in `seed/public-tags.json` whose value contains no
/// address, telephone number or login.
package struct PublicTags: Sendable {
  private let names: Set<String>

  /// - Parameter json: `{"tags": ["ele", …]}`.
  /// - Throws: ``InvalidMapping`` if the format is wrong.
  package init(_ json: JSONValue) throws(InvalidMapping) {
    let members = try MappingNode(value: json, key: "").members(["about", "tags"])
    guard let tags = members["tags"] else {
      throw InvalidMapping(key: "tags", reason: "is missing")
    }
    names = Set(try tags.texts())
    for name in names where Self.isContact(name) {
      throw InvalidMapping(key: "tags", reason: "“\(name)” holds contacts and can never be public")
    }
  }

  private init() { names = [] }

  /// Allows no tags.
  package static let none = PublicTags()

  /// The public tags among `tags`, with values cleaned and cut to 255 characters.
  package func shown(_ tags: [ImportedDevice.Tag]) -> [ImportedDevice.Tag] {
    tags.compactMap { tag in
      guard names.contains(tag.key), ContactText.removing(from: tag.value) == nil else {
        return nil
      }
      let clean = CleanText(tag.value, limit: 255, lines: false).text
      return clean.isEmpty ? nil : ImportedDevice.Tag(tag.key, clean)
    }
  }

  /// Whether the name of a column indicates a contact, a login or a network address.
  static func isContact(_ name: String) -> Bool {
    let parts = name.lowercased().split { !$0.isLetter }
    return parts.contains { contactWords.contains(String($0)) }
  }

  private static let contactWords: Set<String> = [
    "contact", "phone", "telephone", "telefon", "telefone", "mobile", "fax", "email", "mail",
    "website", "url", "webcam", "feed", "stream", "rtsp", "user", "username", "login", "password",
    "token", "key", "mac", "ip", "ssid", "owner", "addr", "address", "facebook", "instagram",
    "twitter", "youtube", "telegram", "whatsapp",
  ]
}
