import Foundation
import JSON
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Two instances that differ in one secret and in nothing more. An attacker who gets the same
/// responses from both, including headers, has learnt nothing about it.
struct TwoWorlds {
  let one: TestApp
  let other: TestApp

  /// `tell` creates the secret: it is called for each instance, with the number of its world.
  init(_ tell: (TestApp, Int) throws -> Void) throws {
    one = try TestApp()
    other = try TestApp()
    try tell(one, 0)
    try tell(other, 1)
  }

  /// Headers that could differ between responses.
  private static let headers = [
    "ETag", "Last-Modified", "Location", "Link", "Content-Length", "Content-Type", "Cache-Control",
    "Vary", "Retry-After", "WWW-Authenticate", "OGC-NumberMatched", "Allow",
    "Access-Control-Allow-Origin",
  ]

  /// Expects that an attacker gets the same response in both worlds.
  func expectAlike(
    _ attempt: String, at location: SourceLocation = #_sourceLocation,
    _ ask: (TestApp) throws -> TestAnswer
  ) rethrows {
    let (left, right) = (try ask(one), try ask(other))
    #expect(left.status == right.status, "\(attempt)", sourceLocation: location)
    for name in Self.headers {
      #expect(
        left.headers[name] == right.headers[name], "\(attempt): \(name)", sourceLocation: location)
    }
    #expect(left.bytes == right.bytes, "\(attempt)", sourceLocation: location)
  }
}

extension TestApp {
  /// The bytes of the database and its log on the disk.
  func filesOfDatabase() -> Data {
    ["farol.db", "farol.db-wal"].reduce(into: Data()) { all, name in
      all += (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
    }
  }

  /// Whether the database or its log contains a text.
  func isOnDisk(_ text: String) -> Bool {
    filesOfDatabase().range(of: Data(text.utf8)) != nil
  }

  /// Every public response whose version reveals a change.
  static let publicPaths = [
    Path.items, Path.items + "?properties=*", Path.collection, "/api/collections",
    "/api/tiles/devices/0/0/0.mvt", "/api/statistics", "/api/feeds/devices.atom",
    "/api/feeds/devices.json", "/api/exports/devices.csv", "/api/exports/devices.geojson",
    "/api/outcomes", "/api/snapshots", "/", "/about",
  ]

  /// The ETags and times of every public response.
  func publicVersions() -> [String] {
    Self.publicPaths.map { path in
      let answer = send(target: path)
      return "\(path) \(answer.status.code) \(answer.headers["ETag"] ?? "-") "
        + (answer.headers["Last-Modified"] ?? "-")
    }
  }

  /// Expects that no public response has another version after `act`.
  func expectNoTrace(
    of what: String, at location: SourceLocation = #_sourceLocation, _ act: () throws -> Void
  ) rethrows {
    let before = publicVersions()
    clock.advance(by: .seconds(1))
    try act()
    let after = publicVersions()
    for (was, now) in zip(before, after) {
      #expect(was == now, "\(what)", sourceLocation: location)
    }
  }
}
