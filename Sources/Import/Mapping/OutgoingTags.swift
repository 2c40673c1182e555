import WrittenValues

/// Kept tags that may be sent back to the register of their origin, except personal data.
///
/// Unlike ``PublicTags`` it allows web addresses, such as the address of a webcam, because the register contains
/// them.
package enum OutgoingTags {
  /// Whether a tag contains no e-mail address, telephone number, login or owner.
  package static func mayLeave(_ tag: ImportedDevice.Tag) -> Bool {
    let words = tag.key.lowercased().split { !$0.isLetter }
    guard !words.contains(where: { personalWords.contains(String($0)) }) else { return false }
    return !holdsPerson(tag.value)
  }

  private static let personalWords: Set<String> = [
    "email", "mail", "phone", "telephone", "telefon", "telefone", "mobile", "fax", "whatsapp",
    "telegram", "facebook", "instagram", "twitter", "user", "username", "uid", "login", "password",
    "token", "mac", "ip", "ssid", "owner",
  ]

  private static func holdsPerson(_ value: String) -> Bool {
    guard ContactText.removing(from: value) != nil else { return false }
    // Allows only web addresses without a login.
    let words = value.split { $0 == " " || $0 == ";" || $0 == "\n" }
    let others = words.filter { !isWebAddress($0) }
    return others.count == words.count
      || ContactText.removing(from: others.joined(separator: " ")) != nil
  }

  private static func isWebAddress(_ word: Substring) -> Bool {
    let lower = word.lowercased()
    let rest = ["https://", "http://"].first { lower.hasPrefix($0) }.map {
      lower.dropFirst($0.count)
    }
    let host = (rest ?? lower[...]).prefix { $0 != "/" }
    let isAddress = rest != nil || lower.hasPrefix("www.")
    return isAddress && !host.contains("@") && host.contains { $0.isLetter }
  }
}
