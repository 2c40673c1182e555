import Foundation
import Glibc
import JSON
internal import Locking
package import PrivacyMap
package import SpatialDatabase

/// The erasures and withdrawals that people requested, kept outside the database so that no backup undoes them.
///
/// The list is a text file next to the database, with a copy next to the backups. Each line contains
/// the kind of the object, its id, which no other data refers to, the time, and for a setting its new value:
/// `{"at":"2026-11-28T10:00:00Z","kind":"precision","id":"0190…","value":"1km"}`.
package struct ErasureList: Sendable {
  /// One erased object, or a setting that was changed.
  package struct Entry: Hashable, Sendable {
    package let kind: Kind
    /// The id of the object, or the base file name of a photo.
    package let id: String
    package let at: Timestamp
    /// The new value of a setting; nil for an erased object.
    package var value: String? = nil
  }

  /// The name of the file.
  package static let name = "erased.jsonl"
  /// Retention of entries in days. Older backups are not restored by default.
  package static let daysKept: Int32 = 400

  private let files: [String]
  private let others: [String]
  /// Serialises writers in a process. Between processes, writers hold the lock of the instance.
  private static let turn = Locked(())

  /// The files do not need to exist. `others` are only read.
  package init(files: [String], others: [String] = []) {
    self.files = files
    self.others = others
  }

  /// The entries of all files: of an object the first, of a setting the last.
  package func entries() -> [Entry] { Self.effective((files + others).flatMap(Self.read)) }

  /// The entries that count: of an object the first, of a setting the last.
  package static func effective(_ entries: [Entry]) -> [Entry] {
    var found: [String: Entry] = [:]
    for entry in entries {
      let key = "\(entry.kind.rawValue) \(entry.id)"
      if let known = found[key], !entry.kind.isSetting || known.at > entry.at { continue }
      found[key] = entry
    }
    return found.values.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
  }

  /// Identifies a line of a file. An object is erased once; a setting changes repeatedly.
  private static func key(_ entry: Entry) -> String {
    let object = "\(entry.kind.rawValue) \(entry.id)"
    return entry.kind.isSetting ? "\(object) \(entry.at.text) \(entry.value ?? "")" : object
  }

  /// Appends entries that are new in the last `recent` bytes of a file, or in all of it. They are on the disk when this
  /// method returns.
  package func add(_ entries: [Entry], recent: UInt64? = nil) throws {
    try Self.turn.withLock { _ in
      for file in files {
        let known = Set(Self.read(file, recent: recent).map(Self.key))
        let new = entries.filter { !known.contains(Self.key($0)) }
        if !new.isEmpty { try Self.append(new, to: file) }
      }
    }
  }

  /// Deletes entries that are older than any backup that may be restored.
  package func forget(at now: Timestamp) throws {
    let oldest = now.secondsSinceEpoch - Seconds.days(Int64(Self.daysKept))
    try forget(before: Timestamp(secondsSinceEpoch: oldest))
  }

  /// Deletes the entries from before a moment.
  package func forget(before limit: Timestamp) throws {
    try Self.turn.withLock { _ in
      for file in files {
        let all = Self.read(file)
        let kept = all.filter { $0.at >= limit }
        guard kept.count < all.count else { continue }
        try DurableFile.replace(file, with: kept.flatMap(Self.line))
      }
    }
  }

  private static func append(_ entries: [Entry], to file: String) throws {
    let folder = (file as NSString).deletingLastPathComponent
    try DurableFile.makeFolder(folder)
    let descriptor = open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DurableFile.Fault("opened", file) }
    defer { close(descriptor) }
    var bytes = entries.flatMap(line)
    var last: UInt8 = 0
    let end = lseek(descriptor, 0, SEEK_END)
    // After a crash the last line may be incomplete. Start a new line so that no entry is lost.
    if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") {
      bytes.insert(UInt8(ascii: "\n"), at: 0)
    }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw DurableFile.Fault("written", file)
    }
    if end == 0 { try DurableFile.sync(folder) }
  }

  private static func line(_ entry: Entry) -> [UInt8] {
    var line: JSONObject = [
      "at": .string(entry.at.text), "kind": .string(entry.kind.rawValue), "id": .string(entry.id),
    ]
    if let value = entry.value { line["value"] = .string(value) }
    var writer = JSONWriter()
    writer.value(.object(line))
    writer.endLine()
    return writer.bytes
  }

  /// The entries of a file, or of its last bytes, where the rest of a line at the beginning is skipped, because it is
  /// not a JSON object.
  private static func read(_ file: String, recent: UInt64?) -> [Entry] {
    guard let recent else { return read(file) }
    guard let handle = FileHandle(forReadingAtPath: file) else { return [] }
    defer { try? handle.close() }
    let end = (try? handle.seekToEnd()) ?? 0
    try? handle.seek(toOffset: end - min(end, recent))
    return entries((try? handle.readToEnd()).map(Array.init) ?? [])
  }

  private static func read(_ file: String) -> [Entry] {
    entries(FileManager.default.contents(atPath: file).map(Array.init) ?? [])
  }

  private static func entries(_ bytes: [UInt8]) -> [Entry] {
    bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let value = try? JSONValue(parsing: Array(line)),
        let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
        let id = value["id"]?.stringValue,
        let at = value["at"]?.stringValue.flatMap({ Timestamp(text: $0) })
      else { return nil }
      return Entry(kind: kind, id: id, at: at, value: value["value"]?.stringValue)
    }
  }
}

extension ErasureList {
  /// The kind of the jobs that add erasures to the list.
  package static let job = "note_erasures"

  /// Schedules a list entry in the transaction that erases the object, so that both commit together.
  package static func note(
    _ kind: Kind, _ ids: [String], value: String? = nil, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    guard !ids.isEmpty else { return }
    var payload: JSONObject = ["at": now.json, "kind": .string(kind.rawValue), "ids": ids.json]
    if let value { payload["value"] = .string(value) }
    try JobRunner.schedule(job, payload: JSONValue.object(payload).text, due: now, connection)
  }

  /// Schedules a list entry for the row of a table that has a column `id`. The name of the table is constant.
  package static func note(
    _ kind: Kind, _ table: StaticString, row: Int64, value: String? = nil, at now: Timestamp,
    _ connection: borrowing Connection
  ) throws {
    let id = try connection.text("SELECT id FROM \(table) WHERE rowid = ?", [.integer(row)])
    try note(kind, id.map { [$0] } ?? [], value: value, at: now, connection)
  }

  /// The part of the list in which a repeated job finds its entries.
  private static let recent: UInt64 = 64 << 10

  /// Runs the job. It does not read the whole list: an account that withdraws things again and again would otherwise
  /// delay the entries of all others.
  @Sendable package func work(_ payload: String) throws {
    try add(Self.entries(payload), recent: Self.recent)
  }

  /// Erasures whose job has not written them to the list yet, including failed jobs.
  package static func waiting(_ connection: borrowing Connection) throws -> [Entry] {
    try connection.rows(
      "SELECT payload FROM job WHERE kind = ? ORDER BY rowid", [.text(job)]
    ) { $0.text(0) }
    .flatMap(entries)
  }

  private static func entries(_ payload: String) -> [Entry] {
    guard let value = try? JSONValue(parsing: Array(payload.utf8)),
      let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
      let at = value["at"]?.stringValue.flatMap({ Timestamp(text: $0) })
    else { return [] }
    return (value["ids"]?.arrayValue ?? []).compactMap(\.stringValue).map {
      Entry(kind: kind, id: $0, at: at, value: value["value"]?.stringValue)
    }
  }
}
