import Foundation
import JSON
import PrivacyMap
import Testing
import WebServer

@Suite struct PagingTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  /// Ids page by page, following the `next` links.
  private func walk(
    _ query: [(String, String)], between: (Int) throws -> Void = { _ in }
  ) throws -> [String] {
    var answer = app.send(target: Request.target(Path.items, query))
    var ids = try answer.ids
    var pages = 1
    while let next = try answer.link("next")?["href"]?.stringValue {
      try between(pages)
      answer = app.follow(next)
      try #require(answer.status == .ok && pages < 500)
      ids += try answer.ids
      pages += 1
    }
    return ids
  }

  @Test(
    arguments: [
      "name", "-name", "category", "-category", "status", "precision", "operator", "-operator",
      "manufacturer", "-manufacturer", "country", "created_at", "-updated_at", "last_confirmed",
      "-last_confirmed", "observed_on", "-observed_on", "stale_on", "operator,-name",
      "-manufacturer,category,-last_confirmed", "+name", "distance", "",
    ], [[], [("q", "camera")]] as [[(String, String)]])
  func `pages in any order contain every device once`(
    order: String, filter: [(String, String)]
  ) throws {
    _ = try RandomWorld(app, count: 60)
    var query = filter
    if !order.isEmpty { query.append(("sortby", order)) }
    if order == "distance" { query.append(("near", "7.4,46.9")) }
    let whole = app.send(target: Request.target(Path.items, query + [("limit", "1000")]))

    let paged = try walk(query + [("limit", "7")])

    #expect(try paged == whole.ids)
    #expect(try Set(paged).count == whole.matched)
  }

  @Test func `unknown values come last in either direction`() throws {
    try app.device(name: "unknown")
    try app.device(name: "a") { $0.manufacturer = "Axis" }
    try app.device(name: "b") { $0.manufacturer = "Bosch" }

    #expect(try app.get(Path.items, ["sortby": "manufacturer"]).names == ["a", "b", "unknown"])
    #expect(try app.get(Path.items, ["sortby": "-manufacturer"]).names == ["b", "a", "unknown"])
  }

  @Test func `devices added between two pages come on a later one`() throws {
    let old = try (0..<20).map { try app.device(name: "old \($0)").id }
    var added: [String] = []

    let walked = try walk([("limit", "5")]) { page in
      added.append(try app.device(name: "new \(page)").id)
      try #require(added.count < 20)
    }

    #expect(walked == old + added.prefix(walked.count - old.count))
    #expect(added.count == walked.count - old.count)
  }

  @Test func `devices removed between two pages hide no other device`() throws {
    let devices = try (0..<20).map { try app.device(name: "device \($0)") }

    let walked = try walk([("limit", "5")]) { page in
      // One already listed, the last one listed, and one still to be listed.
      if page == 1 { for place in [0, 4, 12] { try app.withdraw(devices[place]) } }
    }

    #expect(walked == devices.enumerated().filter { $0.offset != 12 }.map(\.element.id))
  }

  @Test func `a cursor is valid for another limit, properties and reference system`() throws {
    let ids = try (0..<12).map { try app.device(name: "device \($0)").id }
    let first = app.get(Path.items, ["limit": "3"])
    let next = try #require(try first.link("next")?["href"]?.stringValue)

    let rest = app.follow(
      next.replacing("limit=3", with: "limit=10000") + "&properties=model"
        + "&crs=http://www.opengis.net/def/crs/EPSG/0/4326")

    #expect(try rest.ids == Array(ids.dropFirst(3)))
    #expect(try rest.link("next") == nil)
  }

  @Test func `a cursor of another filter or order is a bad request`() throws {
    for number in 0..<5 { try app.device(name: "device \(number)") }
    let first = app.get(Path.items, ["limit": "2", "category": "camera_fixed"])
    let next = try #require(try first.link("next")?["href"]?.stringValue)

    for changed in [
      next.replacing("category=camera_fixed", with: "category=beacon"), next + "&sortby=name",
      next + "&status=reported", next.replacing("&category=camera_fixed", with: ""),
    ] {
      let refused = app.follow(changed)
      #expect(refused.status == .badRequest)
      #expect(try refused.fields == ["cursor"])
    }
  }

  @Test(arguments: [
    "", "x", "====", "W10", "bnVsbA", "WyJhIiwxLG51bGwsW11d", String(repeating: "A", count: 5_000),
    "eyJhIjoxfQ", "WyJhIiwtMSxudWxsLFtdXQ", "WyJhIiwxZTk5OSxudWxsLFtdXQ", "é", "../../etc/passwd",
  ])
  func `an invalid cursor is a bad request`(cursor: String) throws {
    try app.device()
    let refused = app.get(Path.items, ["cursor": cursor])
    #expect(refused.status == .badRequest)
    #expect(try refused.fields == ["cursor"])
  }

  @Test func `no changed byte of a cursor causes a server error`() throws {
    _ = try RandomWorld(app, count: 12)
    for query in [[("sortby", "last_confirmed")], [("near", "1,2"), ("sortby", "distance")]] {
      let first = app.send(target: Request.target(Path.items, query + [("limit", "2")]))
      let next = try #require(try first.link("next")?["href"]?.stringValue)
      let cursor = String(try #require(next.split(separator: "cursor=").last))
      for place in cursor.indices {
        for letter in ["A", "_", "z"] {
          var changed = cursor
          changed.replaceSubrange(place...place, with: letter)
          let answer = app.send(
            target: Request.target(Path.items, query + [("limit", "2"), ("cursor", changed)]))
          #expect(answer.status == .ok || answer.status == .badRequest)
        }
      }
    }
    #expect(app.log.lines.isEmpty)
  }

  @Test(arguments: ["0", "-1", "1.5", "", " ", "ten", "1e3", "+5", "0x10", "٣", "00", "1 "])
  func `a limit that is not a whole number from 1 is a bad request`(limit: String) throws {
    let refused = app.get(Path.items, ["limit": limit])
    #expect(refused.status == .badRequest)
    #expect(try refused.fields == ["limit"])
  }

  @Test(arguments: ["10000", "10001", "99999999999999999999999999", "0010000"])
  func `a limit above the maximum is treated as the maximum`(limit: String) throws {
    for number in 0..<12 { try app.device(name: "device \(number)") }
    #expect(try app.get(Path.items, ["limit": limit]).ids.count == 12)
    #expect(try app.get(Path.items, ["limit": "0011"]).ids.count == 11)
    #expect(try app.get(Path.items).ids.count == 10)
  }

  @Test(arguments: [
    "", "nothing", "name,", "name,name", "-", "distance,name", "-distance", "description",
    "name;DROP TABLE device", "name desc", "rowid",
  ])
  func `an unsupported order is a bad request`(order: String) throws {
    let refused = app.get(Path.items, ["sortby": order, "near": "1,2"])
    #expect(refused.status == .badRequest)
    #expect(try refused.fields == ["sortby"])
  }

  @Test func `distance without a position is a bad request that names the parameter`() throws {
    let refused = app.get(Path.items, ["sortby": "distance"])
    #expect(refused.status == .badRequest)
    #expect(try refused.fields == ["near"])
  }

  @Test func `the links are absolute and lead back to the same page`() throws {
    try app.device(name: "a & b=c")
    let page = app.get(Path.items, ["q": "a & b=c", "limit": "1"])
    let link = try #require(try page.link("self")?["href"]?.stringValue)
    #expect(link.hasPrefix(TestApp.address))
    #expect(try app.follow(link).ids == page.ids)
  }
}
