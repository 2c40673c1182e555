import Locking
import PrivacyMap
import WebServer

/// Complete files of exports, for clients that read parts of them (`Range`), such as GDAL with `/vsicurl/`.
///
/// All parts must come from one file, even if the map changes between two requests. A file therefore serves all
/// requests while the map has the same version, and for some minutes longer the requests of clients that are still
/// reading it.
final class ExportFiles: Sendable {
  /// The maximum size of all files together. A longer file is not sent in parts.
  static let maxBytes = 2 << 30
  /// The maximum time that a request waits for another one that generates the same file.
  private static let maxWait = Duration.seconds(60)

  private let shelf: any ExportShelf
  /// The addresses whose file is being looked for or made.
  private let busy = Monitor<Set<String>>([])

  init(_ shelf: any ExportShelf) { self.shelf = shelf }

  /// The response with the file of an address, from which a part can be sent. An address contains the format and the
  /// filter; `version` is the current version of the map. The response of `make` has a body
  /// ``Response/Body/kept(_:)``.
  func response(
    _ address: String, version: String, at now: Timestamp, make: () throws -> Response
  ) throws -> Response {
    let deadline = ContinuousClock.now + Self.maxWait
    let isFirst = busy.wait(until: { !$0.contains(address) }, orUntil: deadline) {
      $0.insert(address).inserted
    }
    defer { if isFirst { busy.withLock { _ = $0.remove(address) } } }
    if let found = try shelf.response(address, version: version, at: now) { return found }
    var made = try make()
    guard case .kept(let file) = made.body else { return made }
    // A regenerated file contains another time, so it gets another tag.
    let tag = "\(version)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))"
    made.etag = EntityTag(tag)
    let use = ExportUse(version: version, bytes: file.count, madeAt: now, usedAt: now)
    if file.count <= Self.maxBytes, let kept = try shelf.keep(made, file, as: use, for: address) {
      return kept
    }
    made.etag = nil
    made.body = .pull(file.pieces(of: 0..<file.count), length: file.count)
    return made
  }

  /// Erases files that are no longer read.
  func expire(at now: Timestamp) { shelf.expire(at: now) }
}

/// The place of the files: the memory and disk of the only server, or the database of several.
protocol ExportShelf: Sendable {
  /// The response with the file of an address, if it serves requests for `version`. Its use is noted.
  func response(_ address: String, version: String, at now: Timestamp) throws -> Response?

  /// Stores a file. Returns the response with it, or with the file that another server has stored meanwhile; nil if it
  /// could not be stored.
  func keep(
    _ made: Response, _ file: KeptFile, as use: ExportUse, for address: String
  ) throws -> Response?

  /// Erases files that are no longer read.
  func expire(at now: Timestamp)
}

/// The version, size and use of a file, and its retention.
struct ExportUse: Sendable {
  let version: String
  let bytes: Int
  let madeAt: Timestamp
  var usedAt: Timestamp

  /// Seconds after its creation for which a file serves clients that are reading it.
  private static let maxReadingTime: Int64 = 600
  /// Seconds without a request after which a file counts as no longer read.
  private static let pause: Int64 = 60
  /// Seconds without a request after which a file is erased.
  private static let idle: Int64 = 600
  private static let maxFiles = 8

  /// Whether it serves requests: the map has its version, or a client is reading it.
  func serves(_ current: String, at now: Timestamp) -> Bool {
    version == current
      || seconds(from: usedAt, to: now) < Self.pause
        && seconds(from: madeAt, to: now) < Self.maxReadingTime
  }

  func isIdle(at now: Timestamp) -> Bool { seconds(from: usedAt, to: now) >= Self.idle }

  /// Seconds since the last request.
  func unused(at now: Timestamp) -> Int64 { seconds(from: usedAt, to: now) }

  /// A clock that was set back counts as no time.
  private func seconds(from start: Timestamp, to end: Timestamp) -> Int64 {
    max(0, end.secondsSinceEpoch - start.secondsSinceEpoch)
  }

  /// The files that were used least recently, without which the rest is within the limits.
  static func surplus(of files: [(address: String, use: ExportUse)]) -> Set<String> {
    var (count, bytes) = (files.count, files.reduce(0) { $0 + $1.use.bytes })
    let oldestFirst = files.sorted {
      ($0.use.usedAt.secondsSinceEpoch, $0.use.madeAt.secondsSinceEpoch)
        < ($1.use.usedAt.secondsSinceEpoch, $1.use.madeAt.secondsSinceEpoch)
    }
    let surplus = oldestFirst.prefix { file in
      guard count > maxFiles || bytes > ExportFiles.maxBytes else { return false }
      (count, bytes) = (count - 1, bytes - file.use.bytes)
      return true
    }
    return Set(surplus.map(\.address))
  }
}

/// The files of the only server of a database, on its disk.
final class OwnExportShelf: ExportShelf {
  private let files = Locked<[String: (use: ExportUse, response: Response)]>([:])

  func response(_ address: String, version: String, at now: Timestamp) -> Response? {
    files.withLock { files in
      guard var file = files[address], file.use.serves(version, at: now) else { return nil }
      file.use.usedAt = now
      files[address] = file
      return file.response
    }
  }

  func keep(
    _ made: Response, _ file: KeptFile, as use: ExportUse, for address: String
  ) -> Response? {
    files.withLock { files in
      files[address] = (use, made)
      for surplus in ExportUse.surplus(of: files.map { ($0.key, $0.value.use) }) {
        files[surplus] = nil
      }
    }
    return made
  }

  func expire(at now: Timestamp) {
    files.withLock { files in files = files.filter { !$0.value.use.isIdle(at: now) } }
  }
}
