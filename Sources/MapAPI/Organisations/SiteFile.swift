internal import Locking
import Mail
import Secrets
import WebServer

/// The file by which an organisation shows that a web site is its own.
struct SiteFile: Sendable {
  let host: String
  /// One line, which nobody else can know.
  let content: String

  static let path = "/.well-known/farol.txt"

  init(_ organisation: Organisation, key: [UInt8]) {
    host = organisation.details.domain
    let name = Array(Digest.sha256(Array(organisation.id.utf8)).prefix(SealedName.size))
    content = "farol-verification=\(SealedName(name, for: "site of \(host)", key: key).text)"
  }

  var url: String { "https://\(host)\(Self.path)" }
}

/// Looks for files on web sites, one at a time.
final class SiteReader: Sendable {
  private let isReading = Locked(false)
  private let source: PublicFile

  init(_ source: PublicFile) { self.source = source }

  /// - Throws: a 422 that says what was found instead, a 503 while another look is under way.
  func check(_ file: SiteFile) throws {
    let isFree = isReading.withLock { reading in
      defer { reading = true }
      return !reading
    }
    guard isFree else { throw Refusal.busy }
    defer { isReading.withLock { $0 = false } }
    let bytes: [UInt8]
    do throws(PublicFileFailure) { bytes = try source.read(file.host, SiteFile.path) } catch {
      throw Refusal(.unprocessableContent, error.key, ["url": file.url], type: "site")
    }
    let lines = bytes.split { $0 == 0x0A || $0 == 0x0D }.map { line in
      line.filter { $0 > 0x20 }
    }
    guard lines.contains(Array(file.content.utf8)) else {
      throw Refusal(
        .unprocessableContent, "error.operator.file.content", ["url": file.url], type: "site")
    }
  }
}

extension PublicFileFailure {
  /// The sentence's key in the catalogue.
  fileprivate var key: String {
    switch self {
    case .unknownHost: "error.operator.file.host"
    case .notPublic: "error.operator.file.private"
    case .unreachable: "error.operator.file.unreachable"
    case .untrusted: "error.operator.file.untrusted"
    case .notThere: "error.operator.file.missing"
    case .tooLong: "error.operator.file.long"
    }
  }
}
