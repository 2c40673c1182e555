import Locking
import PrivacyMap
import WebServer

/// Complete files of exports, for clients that read parts of them (`Range`), such as GDAL with `/vsicurl/`.
///
/// All parts must come from one file, even if the map changes between two requests. A file therefore serves all requests while
/// the map has the same version, and for some minutes longer the requests of clients that are still reading it.
final class ExportFiles: Sendable {
  private struct Kept: Sendable {
    let response: Response
    let bytes: Int
    let version: String
    let madeAt: Timestamp
    var usedAt: Timestamp
  }

  /// The files and those that are being made, by address.
  private struct State: Sendable {
    var kept: [String: Kept] = [:]
    var making: Set<String> = []
  }

  /// Seconds after its creation for which a file serves clients that are reading it.
  private static let maxReadingTime: Int64 = 600
  /// Seconds without a request after which a file counts as no longer read.
  private static let pause: Int64 = 60
  /// Seconds without a request after which a file is erased.
  private static let idle: Int64 = 600
  private static let maxFiles = 8
  /// Of all files together. A longer file is not sent in parts.
  private static let maxBytes = 2 << 30
  /// How long a request waits for another one that makes the same file.
  private static let maxWait = Duration.seconds(60)

  private let state = Monitor(State())

  init() {}

  /// The response with the file of an address, from which a part can be sent. An address contains the format and the
  /// filter; `version` is the current version of the map. The response of `make` has a body
  /// ``Response/Body/kept(_:)``.
  func response(
    _ address: String, version: String, at now: Timestamp, make: () throws -> Response
  ) throws -> Response {
    let deadline = ContinuousClock.now + Self.maxWait
    let found = state.wait(until: { !$0.making.contains(address) }, orUntil: deadline) { state in
      if var kept = state.kept[address], kept.version == version || Self.isBeingRead(kept, at: now)
      {
        kept.usedAt = now
        state.kept[address] = kept
        return kept.response as Response?
      }
      state.making.insert(address)
      return nil
    }
    if let found { return found }
    defer { state.withLock { _ = $0.making.remove(address) } }
    var made = try make()
    guard case .kept(let file) = made.body else { return made }
    guard file.count <= Self.maxBytes else {
      made.body = .pull({ try file.next() }, length: file.count)
      return made
    }
    // A file that is made again differs in its time.
    made.etag = EntityTag("\(version)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36))")
    let kept = Kept(
      response: made, bytes: file.count, version: version, madeAt: now, usedAt: now)
    state.withLock { state in
      state.kept[address] = kept
      Self.makeRoom(&state)
    }
    return made
  }

  /// Erases files that are no longer read.
  func expire(at now: Timestamp) {
    state.withLock { state in
      state.kept = state.kept.filter { Self.seconds(from: $0.value.usedAt, to: now) < Self.idle }
    }
  }

  private static func isBeingRead(_ kept: Kept, at now: Timestamp) -> Bool {
    seconds(from: kept.usedAt, to: now) < pause
      && seconds(from: kept.madeAt, to: now) < maxReadingTime
  }

  /// A clock that was set back counts as no time.
  private static func seconds(from start: Timestamp, to end: Timestamp) -> Int64 {
    max(0, end.secondsSinceEpoch - start.secondsSinceEpoch)
  }

  /// Erases the files that were used least recently, until the rest is within the limits.
  private static func makeRoom(_ state: inout State) {
    func isTooMuch() -> Bool {
      state.kept.count > maxFiles
        || state.kept.values.reduce(0, { $0 + $1.bytes }) > maxBytes
    }
    while isTooMuch(),
      let oldest = state.kept.min(by: {
        ($0.value.usedAt.secondsSinceEpoch, $0.value.madeAt.secondsSinceEpoch)
          < ($1.value.usedAt.secondsSinceEpoch, $1.value.madeAt.secondsSinceEpoch)
      })
    {
      state.kept[oldest.key] = nil
    }
  }
}
