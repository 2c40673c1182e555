package import SafeFetch
import Secrets
package import Service
import WebServer

/// The file that proves that an organisation controls a web site.
struct SiteFile: Sendable {
  let host: String
  /// One line that others cannot guess.
  let content: String

  static let path = "/.well-known/farol.txt"

  init(_ organisation: Organisation, key: [UInt8]) {
    host = organisation.details.domain
    let name = Array(Digest.sha256(Array(organisation.id.utf8)).prefix(SealedName.size))
    content = "farol-verification=\(SealedName(name, for: "site of \(host)", key: key).text)"
  }

  var url: String { "https://\(host)\(Self.path)" }
}

/// Reads verification files from web sites.
package struct SiteReader: Sendable {
  /// The queue for checks, one at a time. It is a separate queue because it waits for other servers.
  package let queue = RequestQueue("sites", width: 1, capacity: 4)
  private let source: PublicFile

  package init(_ source: PublicFile) { self.source = source }

  /// Checks the file. Takes up to 14 seconds: 4 for the DNS lookup and 10 for the file.
  ///
  /// - Throws: a 422 ``Refusal`` with the problem found, or a 503 if too many names are being looked up.
  func check(_ file: SiteFile) throws {
    let bytes: [UInt8]
    do throws(PublicFileFailure) { bytes = try source.read(file.host, SiteFile.path) } catch {
      guard let key = error.key else { throw Refusal.busy }
      throw Refusal(.unprocessableContent, key, ["url": file.url], type: "site")
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
  /// The key of the sentence in the catalogue; nil if the failure is not caused by the site.
  fileprivate var key: String? {
    switch self {
    case .busy: nil
    case .slowName: "error.operator.file.name"
    case .unknownHost: "error.operator.file.host"
    case .notPublic: "error.operator.file.private"
    case .unreachable: "error.operator.file.unreachable"
    case .untrusted: "error.operator.file.untrusted"
    case .notThere: "error.operator.file.missing"
    case .tooLong: "error.operator.file.long"
    }
  }
}
