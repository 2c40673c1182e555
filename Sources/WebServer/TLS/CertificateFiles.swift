internal import Glibc

/// The paths of a server's certificate and key, both PEM.
package struct CertificateFiles: Equatable, Sendable {
  /// The server's certificate first, then the intermediate certificates.
  package var certificate: String
  /// Not encrypted.
  package var key: String

  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Checks the files by loading them as the server does.
  ///
  /// - Throws: ``InvalidCertificate`` if a server could not start with them.
  package func check() throws(InvalidCertificate) {
    _ = try Certificate(self)
  }

  /// Maximum size in bytes. A chain has a few thousand.
  private static let maxSize = 1 << 20

  /// The content of one of the files.
  static func read(_ path: String) throws(InvalidCertificate) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unreadable(file: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= maxSize {
      var failure: Int32 = 0
      let piece = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, filled in
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0 { failure = errno }
        filled = max(0, count)
      }
      guard failure == 0 else {
        throw .unreadable(file: path, reason: String(cString: strerror(failure)))
      }
      if piece.isEmpty { break }
      bytes += piece
    }
    guard bytes.count <= maxSize, !bytes.contains(0) else {
      throw .unreadable(file: path, reason: "it is no PEM file")
    }
    return bytes
  }
}

/// The reason why a certificate cannot be used: a sentence that names the file without revealing
/// its content.
package enum InvalidCertificate: Error, Equatable, CustomStringConvertible, Sendable {
  case unreadable(file: String, reason: String)
  case unusable(certificate: String, key: String, reason: String)

  /// The affected file.
  package var file: String {
    switch self {
    case .unreadable(let file, _): file
    case .unusable(let certificate, _, _): certificate
    }
  }

  package var description: String {
    switch self {
    case .unreadable(let file, let reason): "“\(file)” cannot be read: \(reason)."
    case .unusable(let certificate, let key, let reason):
      "“\(certificate)” with the key “\(key)” cannot be used: \(reason)."
    }
  }
}
