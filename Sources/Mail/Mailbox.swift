/// The sender of a mail: an address, with an optional name.
package struct Mailbox: Equatable, Sendable {
  package var name: String?
  package var address: EmailAddress

  package init(name: String? = nil, address: EmailAddress) {
    self.name = name
    self.address = address
  }

  /// Reads `ana@example.org` or `Ana of the map <ana@example.org>`; the name may be quoted.
  ///
  /// - Throws: ``InvalidEmailAddress``.
  package init(_ text: String) throws(InvalidEmailAddress) {
    guard text.hasSuffix(">"), let bracket = text.lastIndex(of: "<") else {
      self.init(address: try EmailAddress(text))
      return
    }
    let address = try EmailAddress(String(text[text.index(after: bracket)...].dropLast()))
    var name = text[..<bracket].drop { $0 == " " }
    while name.last == " " { name.removeLast() }
    guard name.utf8.count <= 200,
      name.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else { throw .malformed }
    if name.count >= 2, name.first == "\"", name.last == "\"" {
      name = name.dropFirst().dropLast()
    }
    self.init(name: name.isEmpty ? nil : String(name), address: address)
  }

  /// The body of the `From` field (RFC 5322 §3.6.2), folded if the name is long.
  var field: [UInt8] {
    guard let name, !name.isEmpty else { return Array(address.text.utf8) }
    // Words of plain letters are written as they are. All other names are encoded rather than quoted, so
    // that one method works for every name.
    let words = name.utf8.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let isPlain = words.allSatisfy { !$0.isEmpty && $0.allSatisfy(ASCII.isAtomText) }
    let phrase =
      isPlain && name.utf8.count <= 40 && !name.contains("=?")
      ? Array(name.utf8) : EncodedWords(name, after: "From: ".utf8.count).bytes
    return phrase + Array("\r\n <\(address.text)>".utf8)
  }
}
