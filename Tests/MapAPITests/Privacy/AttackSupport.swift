import Foundation
import JSON
import PrivacyMap
import SpatialDatabase
import Testing
import WebServer

@testable import MapAPI

/// Two instances that differ in one secret and in nothing else. An attacker who gets the same answers
/// from both, down to their headers, has learnt nothing of it.
struct TwoWorlds {
  let one: TestApp
  let other: TestApp

  /// `tell` makes the secret: it is called for each instance, with the number of its world.
  init(_ tell: (TestApp, Int) throws -> Void) throws {
    one = try TestApp()
    other = try TestApp()
    try tell(one, 0)
    try tell(other, 1)
  }

  /// Headers by which an answer could differ.
  private static let headers = [
    "ETag", "Last-Modified", "Location", "Link", "Content-Length", "Content-Type", "Cache-Control",
    "Vary", "Retry-After", "WWW-Authenticate", "OGC-NumberMatched", "Allow",
    "Access-Control-Allow-Origin",
  ]

  /// Expects that an attacker gets the same answer in both worlds.
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
  /// The bytes of the database and its log as they lie on the disk.
  func filesOfDatabase() -> Data {
    ["farol.db", "farol.db-wal"].reduce(into: Data()) { all, name in
      all += (try? Data(contentsOf: folder.appendingPathComponent(name))) ?? Data()
    }
  }

  /// Whether a text stands in the database or its log.
  func isOnDisk(_ text: String) -> Bool {
    filesOfDatabase().range(of: Data(text.utf8)) != nil
  }

  /// Every public answer whose version shows that something has changed.
  static let publicPaths = [
    Path.items, Path.items + "?properties=*", Path.collection, "/api/collections",
    "/api/tiles/devices/0/0/0.mvt", "/api/statistics", "/api/feeds/devices.atom",
    "/api/feeds/devices.json", "/api/exports/devices.csv", "/api/exports/devices.geojson",
    "/api/outcomes", "/api/snapshots", "/", "/about",
  ]

  /// The tags and times of every public answer.
  func publicVersions() -> [String] {
    Self.publicPaths.map { path in
      let answer = send(target: path)
      return "\(path) \(answer.status.code) \(answer.headers["ETag"] ?? "-") "
        + (answer.headers["Last-Modified"] ?? "-")
    }
  }

  /// Expects that no public answer has another version after `act`.
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
