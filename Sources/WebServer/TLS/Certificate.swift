internal import CGnuTLS
internal import CMicroHTTPD
internal import Glibc

/// A certificate with its chain and key, ready for handshakes.
///
/// `@unchecked Sendable`: GnuTLS only reads the credentials after `init` has filled them.
final class Certificate: @unchecked Sendable {
  /// The content of the files, terminated by NUL, as libmicrohttpd requires at its start.
  let certificateText: [UInt8]
  let keyText: [UInt8]
  /// When the certificate expires, in seconds since 1970.
  let endsAt: Int
  private let credentials: gnutls_certificate_credentials_t

  /// TLS 1.2 and 1.3 with forward secrecy (ECDHE) and authenticated encryption (AEAD), in the server's order of
  /// preference: the "intermediate" set of Mozilla's guideline 5.7 without finite-field Diffie-Hellman.
  static let priorities =
    "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:-KX-ALL:+ECDHE-ECDSA:+ECDHE-RSA:-CIPHER-ALL:"
    + "+AES-128-GCM:+AES-256-GCM:+CHACHA20-POLY1305:-MAC-ALL:+AEAD:%SERVER_PRECEDENCE"

  /// - Throws: ``InvalidCertificate`` when a file cannot be read or is not a certificate or key, or
  ///   when both do not match.
  init(_ files: CertificateFiles) throws(InvalidCertificate) {
    certificateText = try CertificateFiles.read(files.certificate) + [0]
    keyText = try CertificateFiles.read(files.key) + [0]
    var made: gnutls_certificate_credentials_t?
    guard gnutls_certificate_allocate_credentials(&made) == 0, let made else {
      throw .unusable(certificate: files.certificate, key: files.key, reason: "no memory is left")
    }
    let index = Self.fill(made, certificateText, keyText)
    guard index >= 0 else {
      gnutls_certificate_free_credentials(made)
      throw .unusable(
        certificate: files.certificate, key: files.key, reason: Self.reason(index))
    }
    credentials = made
    endsAt = Self.end(of: made, UInt32(index))
  }

  deinit { gnutls_certificate_free_credentials(credentials) }

  /// Makes a connection use this certificate, before its handshake. The certificate must be
  /// retained for the lifetime of the connection.
  ///
  /// libmicrohttpd gives every connection the certificate with which it was started, and has no
  /// function to change it. However, it gives access to its TLS sessions.
  func use(for connection: OpaquePointer) {
    guard let session = microhttpd_tls_session(connection) else { return }
    _ = gnutls_credentials_set(
      OpaquePointer(session), GNUTLS_CRD_CERTIFICATE, UnsafeMutableRawPointer(credentials))
  }

  /// - Returns: a negative GnuTLS error code, or the index of the certificate.
  private static func fill(
    _ credentials: gnutls_certificate_credentials_t, _ certificate: [UInt8], _ key: [UInt8]
  ) -> Int32 {
    var (certificate, key) = (certificate, key)
    // Without the trailing NUL.
    let (certificateSize, keySize) = (UInt32(certificate.count - 1), UInt32(key.count - 1))
    return certificate.withUnsafeMutableBufferPointer { certificate in
      key.withUnsafeMutableBufferPointer { key in
        var chain = gnutls_datum_t(data: certificate.baseAddress, size: certificateSize)
        var secret = gnutls_datum_t(data: key.baseAddress, size: keySize)
        return gnutls_certificate_set_x509_key_mem(
          credentials, &chain, &secret, GNUTLS_X509_FMT_PEM)
      }
    }
  }

  private static func reason(_ code: Int32) -> String {
    switch code {
    case GNUTLS_E_CERTIFICATE_KEY_MISMATCH: return "they do not belong together"
    case GNUTLS_E_DECRYPTION_FAILED: return "the key is encrypted"
    default:
      let text = gnutls_strerror(code).map { String(cString: $0) } ?? "error \(code)"
      let sentence = text.hasSuffix(".") ? String(text.dropLast()) : text
      return sentence.prefix(1).lowercased() + sentence.dropFirst()
    }
  }

  /// 0 if GnuTLS cannot determine it.
  private static func end(of credentials: gnutls_certificate_credentials_t, _ index: UInt32) -> Int
  {
    var raw = gnutls_datum_t()
    var certificate: gnutls_x509_crt_t?
    guard gnutls_certificate_get_crt_raw(credentials, index, 0, &raw) == 0,
      gnutls_x509_crt_init(&certificate) == 0, let certificate
    else { return 0 }
    defer { gnutls_x509_crt_deinit(certificate) }
    guard gnutls_x509_crt_import(certificate, &raw, GNUTLS_X509_FMT_DER) == 0 else { return 0 }
    return max(0, gnutls_x509_crt_get_expiration_time(certificate))
  }
}
