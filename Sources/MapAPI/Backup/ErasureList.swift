import Foundation
import Glibc
import JSON
internal import Locking
package import PrivacyMap
package import SpatialDatabase

/// What people had erased, kept outside the database so that no backup brings it back.
///
/// A file of lines beside the database, and the same beside the backups. A line says what kind of
/// thing it was, its id, which nothing knows any more, and when: nothing else.
package struct ErasureList: Sendable {
  /// What can be erased by itself.
  package enum Kind: String, CaseIterable, Sendable {
    case account, choice, device, organisation, picture
  }

  /// One thing that was erased.
  package struct Entry: Hashable, Sendable {
    package let kind: Kind
    /// The id of the thing; of a picture, the name of its files.
    package let id: String
    package let at: Timestamp
  }

  /// The name of the file.
  package static let name = "erased.jsonl"
  /// Days for which an erasure is remembered; a backup that is older is not put back.
  package static let daysKept: Int32 = 400

  private let files: [String]
  private let others: [String]
  /// One writer at a time in a process; between processes, those who write hold the instance.
  private static let turn = Locked(())

  /// The files need not be there; `others` are only read.
  package init(files: [String], others: [String] = []) {
    self.files = files
    self.others = others
  }

  /// Everything that one of the files says, each once.
  package func entries() -> [Entry] {
    var found: [String: Entry] = [:]
    for entry in (files + others).flatMap(Self.read) where found[Self.key(entry)] == nil {
      found[Self.key(entry)] = entry
    }
    return found.values.sorted { ($0.at, $0.id) < ($1.at, $1.id) }
  }

  private static func key(_ entry: Entry) -> String { "\(entry.kind.rawValue) \(entry.id)" }

  /// Adds what is not there yet; it is on the disk when this returns.
  package func add(_ entries: [Entry]) throws {
    try Self.turn.withLock { _ in
      for file in files {
        let known = Set(Self.read(file).map(Self.key))
        let new = entries.filter { !known.contains(Self.key($0)) }
        if !new.isEmpty { try Self.append(new, to: file) }
      }
    }
  }

  /// Forgets what no backup that may be put in place can bring back.
  func forget(at now: Timestamp) throws {
    let oldest = now.secondsSinceEpoch - Int64(Self.daysKept) * 86_400
    try forget(before: Timestamp(secondsSinceEpoch: oldest))
  }

  /// Forgets what was erased before a moment.
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
    // A line that was cut off when the power went must not swallow the next one.
    if end > 0, pread(descriptor, &last, 1, end - 1) == 1, last != UInt8(ascii: "\n") {
      bytes.insert(UInt8(ascii: "\n"), at: 0)
    }
    guard Glibc.write(descriptor, bytes, bytes.count) == bytes.count, fsync(descriptor) == 0 else {
      throw DurableFile.Fault("written", file)
    }
    if end == 0 { try DurableFile.sync(folder) }
  }

  private static func line(_ entry: Entry) -> [UInt8] {
    var writer = JSONWriter()
    writer.value([
      "at": .string(entry.at.text), "kind": .string(entry.kind.rawValue), "id": .string(entry.id),
    ])
    writer.endLine()
    return writer.bytes
  }

  private static func read(_ file: String) -> [Entry] {
    let bytes = FileManager.default.contents(atPath: file).map(Array.init) ?? []
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { line in
      guard let value = try? JSONValue(parsing: Array(line)),
        let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
        let id = value["id"]?.stringValue,
        let at = value["at"]?.stringValue.flatMap({ Timestamp(text: $0) })
      else { return nil }
      return Entry(kind: kind, id: id, at: at)
    }
  }
}

extension ErasureList {
  /// The kind of the jobs that write what was erased into the list.
  static let job = "note_erasures"

  /// Has something noted, in the transaction that erases it: the job is there if it is gone.
  static func note(
    _ kind: Kind, _ ids: [String], at now: Timestamp, _ connection: borrowing Connection
  ) throws {
    guard !ids.isEmpty else { return }
    var writer = JSONWriter()
    writer.value([
      "at": .string(now.text), "kind": .string(kind.rawValue),
      "ids": .array(ids.map { .string($0) }),
    ])
    try JobRunner.schedule(
      job, payload: String(decoding: writer.bytes, as: UTF8.self), due: now, connection)
  }

  /// Does the job.
  @Sendable func work(_ payload: String) throws { try add(Self.entries(payload)) }

  /// What jobs of a database have not written yet, those that were given up among them.
  package static func waiting(_ connection: borrowing Connection) throws -> [Entry] {
    try connection.rows("SELECT payload FROM job WHERE kind = ?", [.text(job)]) { $0.text(0) }
      .flatMap(entries)
  }

  private static func entries(_ payload: String) -> [Entry] {
    guard let value = try? JSONValue(parsing: Array(payload.utf8)),
      let kind = value["kind"]?.stringValue.flatMap(Kind.init(rawValue:)),
      let at = value["at"]?.stringValue.flatMap({ Timestamp(text: $0) })
    else { return [] }
    return (value["ids"]?.arrayValue ?? []).compactMap(\.stringValue).map {
      Entry(kind: kind, id: $0, at: at)
    }
  }
}
