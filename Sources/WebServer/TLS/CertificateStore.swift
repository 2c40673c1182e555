internal import Glibc
internal import Locking
internal import Logging
internal import Metrics

/// The certificate that new connections get.
final class CertificateStore: Sendable {
  private let files: CertificateFiles
  private let logger: Logger
  private let held: Monitor<Certificate>
  private let end: Gauge

  /// `end` is where it is noted when the certificate ends.
  ///
  /// - Throws: ``InvalidCertificate``.
  init(
    _ files: CertificateFiles, _ logger: Logger, end: Gauge
  ) throws(InvalidCertificate) {
    self.files = files
    self.logger = logger
    self.end = end
    held = Monitor(try Certificate(files))
    tellEnd()
  }

  var current: Certificate { held.withLock { $0 } }

  /// Reads the files again; connections that are open keep what they have.
  ///
  /// - Throws: ``InvalidCertificate``; then everything stays as it was.
  func reload() throws(InvalidCertificate) {
    let read = try Certificate(files)
    held.withLock { $0 = read }
    tellEnd()
  }

  /// Seconds before its end at which a certificate should long have been renewed: 14 days.
  private static let renewalTime = 14 * 86_400

  private func tellEnd() {
    let seconds = current.endsAt
    end.set(seconds)
    guard seconds > 0 else { return }
    let level: Logger.Level = seconds - time(nil) < Self.renewalTime ? .warning : .notice
    logger.log(
      level: level, "connections are encrypted",
      metadata: ["certificate_ends": "\(HTTPDate(seconds: seconds).headerValue)"])
  }
}
