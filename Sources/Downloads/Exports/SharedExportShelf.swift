import JSON
import PrivacyMap
import Secrets
import SpatialDatabase
import WebServer

/// The files of all servers on one database: their content in `stored_file`, their list in a setting.
///
/// A server that keeps a file first stores the content, then exchanges the list, unless another server has changed it
/// since. Content that is in no list is erased after an hour (``StoredFiles/sweep(at:)``).
struct SharedExportShelf: ExportShelf {
  /// The setting with the list.
  static let list = StoredSetting("export_files")
  /// Seconds between two notes that a file is used.
  private static let noteInterval: Int64 = 15
  /// The maximum number of attempts to exchange the list if other servers change it at the same time.
  private static let attempts = 5

  let database: Database

  /// A file and the response that sends it. The address is hashed, because the list need not contain filters.
  private struct Entry {
    let sha256: String
    let tag: String
    let headers: [(name: String, value: String)]
    var use: ExportUse

    var file: NightlyFile { NightlyFile(name: "export", sha256: sha256) }
  }

  private struct List {
    /// As stored; nil if nothing is stored.
    var text: String?
    var entries: [String: Entry] = [:]
  }

  func response(_ address: String, version: String, at now: Timestamp) throws -> Response? {
    let key = Self.key(address)
    let (list, found) = try database.readQuickly { connection in
      let list = try Self.list(connection)
      guard let entry = list.entries[key], entry.use.serves(version, at: now),
        try StoredFiles.size(of: entry.file, connection) == entry.use.bytes
      else { return (list, nil as Entry?) }
      return (list, entry)
    }
    guard let found else { return nil }
    if found.use.unused(at: now) >= Self.noteInterval {
      var entries = list.entries
      entries[key]?.use.usedAt = now
      // Another server that has changed the list meanwhile notes the next use.
      _ = try exchange(list, for: entries, at: now, StoredFiles.renewal(of: found.sha256, at: now))
    }
    return response(found)
  }

  func keep(
    _ made: Response, _ file: KeptFile, as use: ExportUse, for address: String
  ) throws -> Response? {
    let (key, sha256) = (Self.key(address), try Self.checksum(file))
    let own = Entry(
      sha256: sha256, tag: made.etag?.opaque ?? "", headers: made.headers.all, use: use)
    do {
      try StoredFiles.store(file, as: sha256, at: use.madeAt) { try database.apart($0) }
      for _ in 0..<Self.attempts {
        let list = try database.readQuickly { try Self.list($0) }
        if let other = list.entries[key], other.use.version == use.version,
          try database.readQuickly({ try StoredFiles.size(of: other.file, $0) }) == other.use.bytes
        {
          try erase([own], except: list.entries)
          return response(other)
        }
        var entries = list.entries
        let former = entries.updateValue(own, forKey: key)
        let surplus = ExportUse.surplus(of: entries.map { ($0.key, $0.value.use) })
          .compactMap { entries.removeValue(forKey: $0) }
        guard try exchange(list, for: entries, at: use.madeAt) else { continue }
        try erase(surplus + (former.map { [$0] } ?? []), except: entries)
        return response(own)
      }
    } catch is DatabaseFault {
      // The primary does not answer, for example: the caller sends the file whole.
    }
    return nil
  }

  func expire(at now: Timestamp) {
    // A failure does not refuse the export; the next export tries again.
    try? {
      let list = try database.readQuickly { try Self.list($0) }
      let idle = list.entries.filter { $0.value.use.isIdle(at: now) }
      guard !idle.isEmpty else { return }
      let rest = list.entries.filter { idle[$0.key] == nil }
      guard try exchange(list, for: rest, at: now) else { return }
      try erase(Array(idle.values), except: rest)
    }()
  }

  private func response(_ entry: Entry) -> Response {
    let content = KeptFile(count: entry.use.bytes) { [database] offset, length in
      try database.readQuickly { try StoredFiles.piece(of: entry.file, offset, length, $0) }
    }
    var response = Response(body: .kept(content))
    for (name, value) in entry.headers { response.headers.add(name, value) }
    response.etag = EntityTag(entry.tag)
    return response
  }

  /// Replaces the list by another one, unless it has changed since it was read.
  private func exchange(
    _ list: List, for entries: [String: Entry], at now: Timestamp, _ further: Database.Item? = nil
  ) throws -> Bool {
    let new = JSONValue.array(
      entries.sorted { $0.key < $1.key }.map { Self.json($0.value, key: $0.key) })
    var isDone = false
    try database.apart(
      [Self.list.exchange(list.text, for: new, at: now)] + (further.map { [$0] } ?? [])
    ) { place, _ in if place == 0 { isDone = true } }
    return isDone
  }

  /// Erases contents that no entry needs. Files of equal content are stored once.
  private func erase(_ entries: [Entry], except kept: [String: Entry]) throws {
    let needed = Set(kept.values.map(\.sha256))
    let items = Set(entries.map(\.sha256)).subtracting(needed).map(StoredFiles.erasure)
    if !items.isEmpty { try database.apart(items) }
  }

  private static func key(_ address: String) -> String {
    Hexadecimal.text(of: Digest.sha256(Array(address.utf8)))
  }

  private static func checksum(_ file: KeptFile) throws -> String {
    var hash = SHA256Stream()
    let next = file.pieces(of: 0..<file.count)
    while let piece = try next() { piece.withUnsafeBufferPointer { hash.update($0) } }
    return Hexadecimal.text(of: hash.finish())
  }

  private static func list(_ connection: borrowing Connection) throws -> List {
    guard let text = try list.stored(connection) else { return List() }
    var found = List(text: text)
    for value in (try? JSONValue(parsing: Array(text.utf8)))?.arrayValue ?? [] {
      if let (key, entry) = entry(value) { found.entries[key] = entry }
    }
    return found
  }

  private static func json(_ entry: Entry, key: String) -> JSONValue {
    [
      "key": .string(key), "sha256": .string(entry.sha256), "tag": .string(entry.tag),
      "version": .string(entry.use.version), "bytes": .integer(Int64(entry.use.bytes)),
      "made_at": .string(entry.use.madeAt.text), "used_at": .string(entry.use.usedAt.text),
      "headers": .array(entry.headers.map { [.string($0.name), .string($0.value)] }),
    ]
  }

  /// An entry with its key; nil if a newer version has written it otherwise.
  private static func entry(_ value: JSONValue) -> (String, Entry)? {
    guard let key = value["key"]?.stringValue, let sha256 = value["sha256"]?.stringValue,
      let tag = value["tag"]?.stringValue, let version = value["version"]?.stringValue,
      let bytes = value["bytes"]?.intValue,
      let madeAt = value["made_at"]?.stringValue.flatMap({ Timestamp(text: $0) }),
      let usedAt = value["used_at"]?.stringValue.flatMap({ Timestamp(text: $0) })
    else { return nil }
    let headers = (value["headers"]?.arrayValue ?? []).compactMap { field in
      field[0]?.stringValue.flatMap { name in field[1]?.stringValue.map { (name, $0) } }
    }
    let use = ExportUse(version: version, bytes: bytes, madeAt: madeAt, usedAt: usedAt)
    return (key, Entry(sha256: sha256, tag: tag, headers: headers, use: use))
  }
}
