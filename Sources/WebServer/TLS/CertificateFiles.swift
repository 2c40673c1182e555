internal import Glibc

/// Where a server's certificate and its key lie, both as PEM.
package struct CertificateFiles: Equatable, Sendable {
  /// The certificate first, then those that it hangs on.
  package var certificate: String
  /// Not encrypted.
  package var key: String

  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// Reads them as the server will.
  ///
  /// - Throws: ``InvalidCertificate`` where a server could not start with them.
  package func check() throws(InvalidCertificate) {
    _ = try Certificate(self)
  }

  /// In bytes; a chain has a few thousand.
  private static let longest = 1 << 20

  /// The bytes of one of the files.
  static func read(_ path: String) throws(InvalidCertificate) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw .unreadable(file: path, reason: String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= longest {
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
    guard bytes.count <= longest, !bytes.contains(0) else {
      throw .unreadable(file: path, reason: "it is no PEM file")
    }
    return bytes
  }
}

/// Why a certificate cannot be used: a sentence that names the file and holds nothing of it.
package enum InvalidCertificate: Error, Equatable, CustomStringConvertible, Sendable {
  case unreadable(file: String, reason: String)
  case unusable(certificate: String, key: String, reason: String)

  /// The file it is about.
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
