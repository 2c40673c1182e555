import WebServer

extension Configuration {
  /// The files of the certificate and its key, if the server uses TLS itself.
  static func certificate(
    _ options: ServeOptions, _ reader: SettingReader
  ) throws -> CertificateFiles? {
    let (certificateName, keyName) = ("FAROL_TLS_CERTIFICATE", "FAROL_TLS_KEY")
    let certificate = reader.text(options.tlsCertificate, certificateName)
    let key = reader.text(options.tlsKey, keyName)
    guard certificate != nil || key != nil else { return nil }
    guard let certificate, let key else {
      throw InvalidSetting(
        name: certificate == nil ? keyName : certificateName,
        problem: "\(certificateName) and \(keyName) go together; one of them is not set.")
    }
    let files = CertificateFiles(certificate: certificate, key: key)
    do throws(InvalidCertificate) { try files.check() } catch {
      throw InvalidSetting(
        name: error.file == key ? keyName : certificateName, problem: error.description)
    }
    return files
  }
}
