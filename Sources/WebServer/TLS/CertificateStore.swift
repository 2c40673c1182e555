internal import Glibc
internal import Locking
internal import Logging
internal import Metrics

/// The certificate for new connections.
final class CertificateStore: Sendable {
  private let files: CertificateFiles
  private let logger: Logger
  private let held: Monitor<Certificate>
  private let end: Gauge

  /// `end` is the gauge for the expiry time of the certificate.
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

  /// Reloads the files. Open connections keep their certificate.
  ///
  /// - Throws: ``InvalidCertificate``. The previous certificate then stays in use.
  func reload() throws(InvalidCertificate) {
    let read = try Certificate(files)
    held.withLock { $0 = read }
    tellEnd()
  }

  /// Seconds before expiry by which a certificate should have been renewed: 14 days.
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
