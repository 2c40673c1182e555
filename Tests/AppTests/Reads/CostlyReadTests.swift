@testable import App
import Foundation
import JSON
import Locking
@testable import MappingDays
import Metrics
import PrivacyMap
@testable import Service
import SpatialDatabase
import Testing
import WebServer

/// Reads of variable cost run in a queue, with turns by network; the others on the thread of their connection.
@Suite struct CostlyReadTests {
  private static let list = "/api/collections/devices/items"
  private static let likes = (0..<5).map { _ in "name LIKE '%a%e%i%'" }.joined(separator: " OR ")

  /// Representative requests of every kind of read, and whether they are costly.
  private static let requests: [(target: String, isCostly: Bool)] =
    [
      "/", "/?place=2", "/devices/ID", "/about", "/learn", "/statistics", "/robots.txt", "/healthz",
      "/readyz",
      list, list + "?bbox=-10,30,10,60&limit=1000", list + "?category=alpr&status=reported",
      list + "?near=1,2", list + "?with=kinds,places", list + "?country=PT&freshness=due",
      list + "/ID", list + "/ID/photos", list + "/ID/choices",
      "/api/collections", "/api/collections/devices", "/api/collections/houses",
      "/api/collections/houses/items/a",
      "/api/tiles/devices.json", "/api/tiles/devices/0/0/0.mvt",
      "/api/tiles/devices/3/4/2.mvt?category=alpr",
      "/api/taxonomies", "/api/taxonomies/categories", "/api/settings",
      "/api/places/nearest?near=-9.1,38.7", "/basemap/1/0/0.mvt",
    ].map { ($0, false) }
    + [
      list + "?q=camera", list + "?operator=City", list + "?sortby=name",
      list + "?sortby=-updated_at",
      list + "?filter=" + escaped(likes), list + "?near=1,2&q=camera",
      "/api/tiles/devices/0/0/0.mvt?operator=City",
      "/api/tiles/devices/12/2048/2047.mvt?filter=" + escaped(likes),
      "/api/statistics", "/api/statistics?group_by=category&q=camera",
      "/api/feeds/devices.atom", "/api/feeds/devices.json?q=camera",
      "/api/collections/houses/items",
      "/api/collections/houses/items?filter=" + escaped("name LIKE 'A%'"),
      "/api/collections/houses/tiles/WebMercatorQuad/0/0/0", "/api/cells/783732/changes",
      "/api/places?q=sao", "/sitemap.xml",
    ].map { ($0, true) }

  private static func escaped(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  @Test(arguments: requests)
  func `only costly reads leave the thread of their connection`(
    target: String, isCostly: Bool
  ) throws {
    let app = try TestApp {
      try TestPlaces.make(in: $0)
      try TestTiles.make(in: $0)
    }
    _ = try TestCollection.load(TestCollection.points, into: app, id: "houses")
    let device = try app.device(name: "A camera")
    let reads = app.app.execution.reads.queue
    let before = reads.wait.reading.count

    let answer = app.send(target: target.replacing("ID", with: device.id))

    #expect((200..<300).contains(answer.status.code), "\(answer.status)")
    #expect(reads.wait.reading.count - before == (isCostly ? 1 : 0))
  }

  /// Requests whose work grows with the devices, contributions or positions, also when the data are in memory.
  @Test(arguments: [
    "/api/operators/named", "/api/operators/named?q=k", "/api/operators/named/koko",
    "/api/mapping-days/DAY/progress", "/api/mapping-days/DAY/contributions",
    "/api/places/nearest?near=1,2&near=1,3&near=1,4&near=1,5&near=1,6&near=1,7",
    list + "?f=html&limit=100",
  ])
  func `work that grows with the data leaves the thread of its connection each time`(
    target: String
  ) throws {
    let app = try TestApp { try TestPlaces.make(in: $0) }
    for place in 0..<60 {
      _ = try app.device(name: "Camera \(place)", longitude: Double(place)) {
        $0.answersFor = Operator(name: "Koko", kind: .company)
      }
    }
    let day = try app.day(of: app.account("ana"), .over)
    let reads = app.app.execution.reads.queue
    for _ in 0..<2 {
      let before = reads.wait.reading.count
      app.app.mappingDays.answers.forget()
      let answer = app.send(target: target.replacing("DAY", with: day))
      #expect(answer.status == .ok, "\(answer.text)")
      #expect(reads.wait.reading.count == before + 1)
    }
  }

  @Test func `figures of a day that are in memory are quick`() throws {
    let app = try TestApp()
    let path = TestApp.day(try app.day(of: app.account("ana"), .over), "progress")
    _ = app.get(path)
    let before = app.app.execution.reads.queue.wait.reading.count
    #expect(app.get(path).status == .ok)
    #expect(app.app.execution.reads.queue.wait.reading.count == before)
  }

  /// Pages that may wait.
  private static let costlyPages: Set<String> = [
    "/operators/named/{key}", "/places/{id}", "/sitemap.xml", "/sitemaps/{file}",
  ]

  @Test func `every page is quick`() throws {
    let app = try TestApp { try TestPlaces.make(in: $0) }
    let device = try app.device(name: "A camera")
    let ana = try app.account("ana")
    let reads = app.app.execution.reads.queue
    let endpoints = Set(app.app.endpoints.map(\.path))
    let pages = app.app.router.routes.filter { route in
      route.method == .get && !endpoints.contains(route.template)
        && !route.template.hasPrefix("/assets/")
    }
    #expect(pages.count > 30)
    for page in pages where !Self.costlyPages.contains(page.template) {
      let path = page.template.replacing("{username}", with: ana.username)
        .replacing("{category}", with: "alpr").replacing("{id}", with: device.id)
      for identity in [Identity.visitor, ana.identity] {
        #expect(app.get(path, as: identity).status.code < 500, "\(path)")
      }
      #expect(reads.wait.reading.count == 0, "\(path)")
    }
  }

  @Test func `a search with a body is costly as the list is`() throws {
    let app = try TestApp()
    let reads = app.app.execution.reads.queue
    _ = try app.device(name: "A camera")
    #expect(app.send(.post, "/api/collections/devices/search", json: [:]).status == .ok)
    #expect(reads.wait.reading.count == 0)
    let found = app.send(.post, "/api/collections/devices/search", json: ["q": "camera"])
    #expect(try found.categories == ["camera_fixed"])
    #expect(reads.wait.reading.count == 1)
  }

  /// A job of a network that occupies the queue until it is released.
  private func block(_ app: TestApp, for network: String) throws -> DispatchSemaphore {
    let (begun, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let address = try #require(ClientAddress(network))
    app.app.execution.reads.queue.add(for: .network(address)) {
      begun.signal()
      end.wait()
    } refuse: { _ in
    }
    begun.wait()
    return end
  }

  /// Adds waiting jobs of a network that do nothing.
  private func wait(_ network: String, _ count: Int, _ app: TestApp) throws {
    let address = try #require(ClientAddress(network))
    for _ in 0..<count {
      app.app.execution.reads.queue.add(for: .network(address)) {
      } refuse: { _ in
      }
    }
  }

  @Test func `costly lists of one network do not delay that of another`() throws {
    let app = try TestApp()
    _ = try app.device(name: "A camera")
    let order = Log()
    let end = try block(app, for: "192.0.2.1")
    let reads = app.app.execution.reads.queue
    let asks = (0..<6).map { number in
      let address = number < 5 ? "192.0.2.1" : "192.0.2.2"
      let ask = Future("ask") {
        let answer = app.send(target: Self.list + "?q=camera", from: address)
        order.add("\(address) \(answer.status.code)")
      }
      while reads.length < number + 2 { Pause.shortly() }
      return ask
    }
    // The index still answers.
    #expect(app.send(target: Self.list, from: "192.0.2.1").status == .ok)
    end.signal()
    for ask in asks { try ask.value() }
    // It has the second turn. On a busy machine, threads may note their responses some places late.
    #expect(order.all.prefix(4).contains("192.0.2.2 200"))
    #expect(order.all.count { $0 == "192.0.2.1 200" } == 5)
  }

  private final class Log: Sendable {
    private let texts = Locked<[String]>([])
    func add(_ text: String) { texts.withLock { $0.append(text) } }
    var all: [String] { texts.withLock { $0 } }
  }

  @Test func `a network with many waiting reads gets 429, an address of its IPv6 network too`()
    throws
  {
    let app = try TestApp()
    let end = try block(app, for: "2001:db8::")
    try wait("2001:db8::", 32, app)
    for address in ["2001:db8::1", "2001:db8::ffff:2"] {
      let answer = app.send(target: Self.list + "?q=camera", from: address)
      #expect(answer.status == .tooManyRequests)
      #expect(answer.headers["Retry-After"] == "5")
      #expect(try answer.json["type"]?.stringValue == "/problems/too-many")
    }
    #expect(app.send(target: Self.list, from: "2001:db8::1").status == .ok)
    end.signal()
  }

  @Test func `a full queue answers 503`() throws {
    let app = try TestApp()
    let end = try block(app, for: "192.0.2.1")
    for number in 0..<256 { try wait("198.51.100.\(number)", 1, app) }
    let answer = app.send(target: Self.list + "?q=camera", from: "192.0.2.2")
    #expect(answer.status == .serviceUnavailable)
    #expect(answer.headers["Retry-After"] == "5")
    end.signal()
  }

  @Test func `an account that is not new does not wait for its network`() throws {
    let app = try TestApp()
    let (ana, new) = (try app.account("ana"), try app.account("rui", isNew: true))
    let end = try block(app, for: "192.0.2.1")
    try wait("192.0.2.1", 32, app)
    let target = Self.list + "?q=camera"
    #expect(
      app.send(target: target, as: new.identity, from: "192.0.2.1").status == .tooManyRequests)
    let ask = Future("ask") { app.send(target: target, as: ana.identity, from: "192.0.2.1").status }
    while app.app.execution.reads.queue.length < 34 { Pause.shortly() }
    end.signal()
    #expect(try ask.value() == .ok)
  }

  @Test func `an error of a costly read is told as that of a quick one`() throws {
    let app = try TestApp()
    let answer = app.send(target: Self.list + "?q=camera&cursor=nonsense")
    #expect(answer.status == .badRequest)
  }

  @Test func `slow work of contributors does not delay a sign-in`() throws {
    let app = try TestApp()
    let account = try app.account()
    let end = DispatchSemaphore(value: 0)
    app.app.execution.work.fill(64) { end.wait() }
    #expect(app.app.execution.work.length == 64)
    let answer = app.send(
      .post, "/api/session",
      headers: ["Origin": TestApp.address, "Sec-Fetch-Site": "same-origin"],
      json: ["login": .string(account.username), "password": .string(TestAccount.password)])
    #expect(answer.status.code < 300, "\(answer.status)")
    for _ in 0..<64 { end.signal() }
  }
}
