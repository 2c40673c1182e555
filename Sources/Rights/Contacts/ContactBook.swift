import Compression
import Foundation
import JSON
internal import Locking
import Service

/// Contact addresses of organisations: `seed/contacts`, suggestions that a person has to check.
///
/// The file is loaded at the first use, because most processes never need it.
final class ContactBook: Sendable {
  struct Contact: Sendable {
    let name: String
    let email: String?
    let form: String?
    /// Lines of the postal address.
    let address: [String]
    /// Countries for which the contact is responsible; empty for all countries.
    let countries: [String]
    /// `tested`, `verified` or `scraped`.
    let quality: String
  }

  private let directory: URL
  private let list = Locked<ContactList?>(nil)

  /// - Throws: ``InvalidSeed`` if there is no file to read.
  init(directory: URL) throws {
    self.directory = directory
    let file = directory.appendingPathComponent(ContactList.file)
    guard FileManager.default.isReadableFile(atPath: file.path) else {
      throw InvalidSeed(file: ContactList.file)
    }
  }

  /// The contact that matches a name, otherwise a web address, and is responsible for the country; nil if no contact or
  /// more than one matches.
  ///
  /// - Throws: ``InvalidSeed`` if the file cannot be read.
  func suggestion(name: String?, page: String?, country: String?) throws -> Contact? {
    try loaded().suggestion(name: name, page: page, country: country)
  }

  /// Loads the file if necessary. Call it before a transaction that may need a suggestion, so that
  /// other writes do not wait for the file.
  ///
  /// - Throws: ``InvalidSeed`` if the file cannot be read.
  func load() throws { _ = try loaded() }

  private func loaded() throws -> ContactList {
    try list.withLock { list in
      let read = try list ?? ContactList(directory: directory)
      list = read
      return read
    }
  }

  /// A name without case, punctuation and combining marks.
  static func key(_ name: String) -> String {
    let folded = name.decomposedStringWithCompatibilityMapping.lowercased()
    // Combining marks belong to the letter before them and do not separate words.
    return folded.unicodeScalars.filter { $0.properties.generalCategory != .nonspacingMark }.split {
      !$0.properties.isAlphabetic && !("0"..."9").contains($0)
    }
    .map { String(String.UnicodeScalarView($0)) }.joined(separator: " ")
  }
}

/// The decompressed file, with indexes of names and domains.
private struct ContactList: Sendable {
  /// The raw text. It is parsed on demand: lookups are rare, and parsed values would stay in memory.
  private let text: [UInt8]
  /// The offset of each line, and the end of the text.
  private let starts: [Int32]
  private let byName: [Key]
  private let byDomain: [Key]

  /// The hash of a name or domain, and the number of its line.
  private struct Key {
    let hash: UInt64
    let line: Int32
  }

  static let file = "organisations.jsonl.gz"
  /// The maximum decompressed size of the file in bytes.
  private static let limit = 16 << 20

  /// - Throws: ``InvalidSeed`` if the file cannot be read.
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

  /// 64-bit FNV-1a hash. Lookups compare the text as well, so collisions are harmless.
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
