/// Kept tags that may go back to the register they came from: all but what leads to a person.
///
/// Unlike ``PublicTags`` it lets web addresses pass, such as the one of a webcam, as they are what the
/// register is asked for.
package enum OutgoingTags {
  /// Whether a tag holds neither an e-mail address, a telephone number, a login nor an owner.
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
    // Only web addresses without a login in them are let pass.
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
