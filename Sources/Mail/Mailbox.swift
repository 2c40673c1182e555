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
}
