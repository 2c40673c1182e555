import Foundation
import Testing

@testable import SafeFetch

/// A list is downloaded from an address that an admin entered, with the protection of short files.
@Suite struct PublicDownloadTests {
  private let site: Site
  private let file: FileHandle
  private let path: String

  init() throws {
    site = try Site()
    path =
      FileManager.default.temporaryDirectory
      .appendingPathComponent("download-\(UUID().uuidString)").path
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    file = try #require(FileHandle(forUpdatingAtPath: path))
  }

  private var loopback: PublicFile.Loopback {
    PublicFile.Loopback(port: site.port, authorities: site.certificate)
  }

  private func download(
    _ address: String, known: PublicFile.Version = .init(), limit: Int = 1 << 20,
    from source: PublicFile? = nil, isWanted: @escaping () -> Bool = { true }
  ) throws -> PublicFile.Download {
    try (source ?? PublicFile(loopback: loopback)).download(
      try #require(PublicLink(address)), known: known, to: file.fileDescriptor, limit: limit,
      isWanted: isWanted)
  }

  /// The number of bytes in the file, which is removed.
  private func written() throws -> Int {
    defer { try? FileManager.default.removeItem(atPath: path) }
    return try Data(contentsOf: URL(fileURLWithPath: path)).count
  }

  private static let version = PublicFile.Version(
    etag: "\"1\"", lastModified: "Sat, 21 Nov 2026 12:00:00 GMT")

  @Test func `a list is written to a file, with its version`() throws {
    #expect(try download("https://exemplo.example/list") == .file(Self.version))
    #expect(try written() == 700_000)
  }

  @Test(
    arguments: [
      PublicFile.Version(etag: "\"1\""),
      PublicFile.Version(lastModified: "Sat, 21 Nov 2026 12:00:00 GMT"), version,
    ])
  func `a known version is not downloaded again`(known: PublicFile.Version) throws {
    #expect(try download("https://exemplo.example/list", known: known) == .notModified)
    #expect(try written() == 0)
  }

  @Test func `a version with a line end sends no further header`() throws {
    let known = PublicFile.Version(etag: "\"0\"\r\nIf-None-Match: \"1\"")
    #expect(try download("https://exemplo.example/list", known: known) == .file(Self.version))
  }

  @Test func `up to three redirects are followed, and their own text is not part of the list`()
    throws
  {
    #expect(try download("https://exemplo.example/hop/3") == .file(Self.version))
    #expect(try written() == 700_000)
    #expect(throws: DownloadFailure.redirect) { try download("https://exemplo.example/hop/4") }
  }

  @Test(
    arguments: [
      "http://exemplo.example/list", "file:///etc/passwd", "https://127.0.0.1/list",
      "https://[::1]/list", "https://exemplo.example:8443/list", "https://me@exemplo.example/list",
      "ftp://exemplo.example/list", "https://localhost/list",
    ])
  func `a redirect to an address that is not allowed is refused`(target: String) throws {
    let escaped = try #require(
      target.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    #expect(throws: DownloadFailure.redirect, "\(target)") {
      try download("https://exemplo.example/to/\(escaped)")
    }
  }

  @Test func `each redirect is looked up and checked`() throws {
    let resolver = NameResolver { host in
      [PublicAddress(bytes: host == "exemplo.example" ? [1, 1, 1, 1] : [192, 168, 0, 1])]
    }
    let source = PublicFile(resolver: resolver, loopback: loopback)
    #expect(try download("https://exemplo.example/list", from: source) == .file(Self.version))
    #expect(throws: DownloadFailure.site(.notPublic)) {
      try download(
        "https://exemplo.example/to/https%3A%2F%2Finner.example%2Flist", from: source)
    }
    #expect(throws: DownloadFailure.site(.notPublic)) {
      try download("https://inner.example/list", from: source)
    }
  }

  @Test func `a list beyond the limit is ended, whatever its server says`() throws {
    #expect(throws: DownloadFailure.tooLong) {
      try download("https://exemplo.example/list", limit: 699_999)
    }
    #expect(throws: DownloadFailure.tooLong) {
      try download("https://exemplo.example/endless")
    }
    #expect(try written() <= (1 << 20) + 700_000)
  }

  @Test func `a list that ends early and a refusal are failures`() throws {
    #expect(throws: DownloadFailure.incomplete) { try download("https://exemplo.example/cut") }
    #expect(throws: DownloadFailure.status(404)) { try download("https://exemplo.example/none") }
    #expect(throws: DownloadFailure.site(.untrusted)) { try download("https://other.example/list") }
  }

  @Test func `a download ends when the caller no longer wants it`() throws {
    let start = ContinuousClock.now
    #expect(throws: DownloadFailure.unwanted) {
      try download("https://exemplo.example/silent", isWanted: { .now < start + .seconds(1) })
    }
    #expect(ContinuousClock.now - start < .seconds(10))
  }
}
