import Compression
import Foundation
import JSON
internal import Locking

/// Where requests reach organisations: `seed/contacts`, suggestions that a person has to check.
///
/// The file is read when somebody first needs a suggestion: most starts never do.
final class ContactBook: Sendable {
  struct Contact: Sendable {
    let name: String
    let email: String?
    let form: String?
    /// Lines of the postal address.
    let address: [String]
    /// Countries it answers for; empty for everywhere.
    let countries: [String]
    /// `tested`, `verified` or `scraped`.
    let quality: String
  }

  private let directory: URL
  private let list = Locked<ContactList?>(nil)

  /// - Throws: ``InvalidSeed`` when there is no file to read.
  init(directory: URL) throws {
    self.directory = directory
    let file = directory.appendingPathComponent(ContactList.file)
    guard FileManager.default.isReadableFile(atPath: file.path) else {
      throw InvalidSeed(file: ContactList.file)
    }
  }

  /// The one organisation of a name, or else of a web address, that answers for a country; nil where
  /// there is none or where it could be several.
  ///
  /// - Throws: ``InvalidSeed`` when the file cannot be read.
  func suggestion(name: String?, page: String?, country: String?) throws -> Contact? {
    try loaded().suggestion(name: name, page: page, country: country)
  }

  /// Reads the file where that is still to be done. Called before a transaction that may need a
  /// suggestion: others would wait for it.
  ///
  /// - Throws: ``InvalidSeed`` when the file cannot be read.
  func load() throws { _ = try loaded() }

  private func loaded() throws -> ContactList {
    try list.withLock { list in
      let read = try list ?? ContactList(directory: directory)
      list = read
      return read
    }
  }

  /// A name without case, signs and marks.
  static func key(_ name: String) -> String {
    let folded = name.decomposedStringWithCompatibilityMapping.lowercased()
    // A mark stands on the letter before it: it parts no words.
    return folded.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }.split {
      !$0.properties.isAlphabetic && !("0"..."9").contains($0)
    }
    .map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }
}

/// The file, unpacked, and where names and domains stand in it.
private struct ContactList: Sendable {
  /// The file as it is unpacked, not read into values: it is looked into seldom and kept for ever.
  private let text: [UInt8]
  /// Where each line begins, and the end.
  private let starts: [Int32]
  private let byName: [Key]
  private let byDomain: [Key]

  /// A name or domain by its hash, and the line it stands in.
  private struct Key {
    let hash: UInt64
    let line: Int32
  }

  static let file = "organisations.jsonl.gz"
  /// The most that the file may hold unpacked.
  private static let limit = 16 << 20

  /// - Throws: ``InvalidSeed`` when the file cannot be read.
  init(directory: URL) throws {
    let name = Self.file
    var text: [UInt8] = []
    do {
      let data = try Data(contentsOf: directory.appendingPathComponent(name))
      var unpacked = try Gunzip(limit: Self.limit)
      try unpacked.decompress([UInt8](data)) { text.append(contentsOf: $0) }
      try unpacked.finish()
    } catch { throw InvalidSeed(file: name) }
    var starts: [Int32] = []
    var byName: [Key] = []
    var byDomain: [Key] = []
    for line in text.split(separator: UInt8(ascii: "\n")) {
      guard let row = try? JSONValue(parsing: Array(line)), ContactBook.Contact(row) != nil else {
        throw InvalidSeed(file: name)
      }
      let number = Int32(starts.count)
      byName += Self.names(row).map { Key(hash: Self.hash($0), line: number) }
      byDomain += Self.domains(row).map { Key(hash: Self.hash($0), line: number) }
      starts.append(Int32(line.startIndex))
    }
    starts.append(Int32(text.count))
    self.text = Array(text)
    self.starts = Array(starts)
    self.byName = byName.sorted { ($0.hash, $0.line) < ($1.hash, $1.line) }
    self.byDomain = byDomain.sorted { ($0.hash, $0.line) < ($1.hash, $1.line) }
  }

  /// ``ContactBook/suggestion(name:page:country:)``.
  func suggestion(name: String?, page: String?, country: String?) -> ContactBook.Contact? {
    if let name, let found = one(ContactBook.key(name), byName, Self.names, country) {
      return found
    }
    guard let page, let host = Self.host(of: page) else { return nil }
    return one(host, byDomain, Self.domains, country)
  }

  private func one(
    _ wanted: String, _ keys: [Key], _ read: (JSONValue) -> Set<String>, _ country: String?
  ) -> ContactBook.Contact? {
    let hash = Self.hash(wanted)
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle].hash < hash { low = middle + 1 } else { high = middle }
    }
    let found = keys[low...].prefix { $0.hash == hash }.compactMap { key -> ContactBook.Contact? in
      let line = Int(key.line)
      let bytes = text[Int(starts[line])..<Int(starts[line + 1])]
      guard let row = try? JSONValue(parsing: Array(bytes)), read(row).contains(wanted),
        let contact = ContactBook.Contact(row)
      else { return nil }
      guard let country, !contact.countries.isEmpty else { return contact }
      return contact.countries.contains(country) ? contact : nil
    }
    return found.count == 1 ? found.first : nil
  }

  private static func names(_ row: JSONValue) -> Set<String> {
    Set(
      ([row["name"]?.stringValue ?? ""] + ContactBook.Contact.texts(row["aliases"])).map(
        ContactBook.key))
  }

  private static func domains(_ row: JSONValue) -> Set<String> {
    Set(ContactBook.Contact.texts(row["domains"]))
  }

  /// Fowler, Noll and Vo's 64-bit hash 1a; whoever reads a line compares the text as well.
  private static func hash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  private static func host(of page: String) -> String? {
    guard let scheme = page.firstRange(of: "://") else { return nil }
    let host = page[scheme.upperBound...].prefix { !"/:?#".contains($0) }.lowercased()
    return host.hasPrefix("www.") ? String(host.dropFirst(4)) : host
  }
}

extension ContactBook.Contact {
  init?(_ json: JSONValue) {
    guard let name = json["name"]?.stringValue else { return nil }
    self.init(
      name: name, email: json["email"]?.stringValue, form: json["form"]?.stringValue,
      address: Self.texts(json["address"]), countries: Self.texts(json["countries"]),
      quality: json["quality"]?.stringValue ?? "scraped")
  }

  static func texts(_ json: JSONValue?) -> [String] {
    json?.arrayValue?.compactMap(\.stringValue) ?? []
  }
}
