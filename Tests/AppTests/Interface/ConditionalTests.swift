@testable import Devices
import JSON
@testable import Service
import SpatialDatabase
import Testing
import WebServer

@Suite struct ConditionalTests {
  let app: TestApp
  let device: TestDevice

  init() throws {
    app = try TestApp()
    device = try app.device(longitude: 7.4, latitude: 46.9)
  }

  private var paths: [String] {
    [
      "/api", "/api/conformance", "/api/openapi.json", "/api/docs", "/api/collections",
      Path.collection, Path.collection + "/queryables", Path.items, Path.item(device.id),
      "/api/tiles/devices.json", Path.tile(0, 0, 0), Path.collection + "/tiles",
      Path.collection + "/tiles/WebMercatorQuad", "/api/taxonomies", "/api/taxonomies/data",
      "/api/settings", "/", "/devices/\(device.id)",
    ]
  }

  @Test func `a response that a client already has returns 304`() throws {
    for path in paths {
      let first = app.get(path)
      let tag = try #require(first.headers["ETag"], "\(path)")
      for known in [tag, "\"other\", \(tag)", "*"] {
        let again = app.get(path, headers: ["If-None-Match": known])
        #expect(again.status == .notModified, "\(path) \(known)")
        #expect(again.bytes.isEmpty)
        #expect(again.headers["ETag"] == tag)
        #expect(again.headers["Cache-Control"] == first.headers["Cache-Control"])
        #expect(again.headers["Vary"] == first.headers["Vary"])
        #expect(again.headers["Content-Type"] == nil)
      }
      #expect(app.get(path, headers: ["If-None-Match": "\"other\""]).status == first.status)
    }
  }

  @Test func `If-Match of another version is refused for every representation`() throws {
    for path in paths {
      let first = app.get(path)
      for method in [Method.get, .head] {
        let other = app.send(method, path, headers: ["If-Match": "\"other\""])
        #expect(other.status == .preconditionFailed, "\(path)")
        #expect(other.headers["ETag"] == first.headers["ETag"])
        // It comes before If-None-Match, which would be fulfilled.
        let both = app.send(
          method, path,
          headers: ["If-Match": "\"other\"", "If-None-Match": first.headers["ETag"] ?? "*"])
        #expect(both.status == .preconditionFailed, "\(path)")
        #expect(app.send(method, path, headers: ["If-Match": "*"]).status == first.status)
      }
      let tag = try #require(first.headers["ETag"])
      let same = app.get(path, headers: ["If-Match": tag])
      #expect(same.status == (tag.hasPrefix("W/") ? .preconditionFailed : first.status), "\(path)")
    }
  }

  @Test func `after a write the old ETag no longer matches`() throws {
    for path in [Path.items, Path.item(device.id), Path.tile(0, 0, 0), Path.collection] {
      let tag = try #require(app.get(path).headers["ETag"])
      try app.edit(device) { $0.columns.append(("name", .text("Other \(path.count)"))) }
      let answer = app.get(path, headers: ["If-None-Match": tag])
      #expect(answer.status == .ok, "\(path)")
      #expect(answer.headers["ETag"] != tag)
    }
  }

  @Test func `the next day is another version, because freshness depends on it`() throws {
    let tag = try #require(app.get(Path.items).headers["ETag"])
    app.clock.advance(by: .seconds(3_600))
    #expect(app.get(Path.items, headers: ["If-None-Match": tag]).status == .notModified)
    app.clock.advance(by: .seconds(86_400))
    #expect(app.get(Path.items, headers: ["If-None-Match": tag]).status == .ok)
  }

  @Test func `another language is another version`() throws {
    for path in ["/api/taxonomies/data", "/", "/devices/\(device.id)"] {
      let english = try #require(app.get(path, headers: ["Accept-Language": "en"]).headers["ETag"])
      let portuguese = app.get(
        path, headers: ["Accept-Language": "pt", "If-None-Match": english])
      #expect(portuguese.status == .ok, "\(path)")
      #expect(portuguese.headers["ETag"] != english)
      #expect(portuguese.headers["Vary"]?.contains("Accept-Language") == true)
    }
  }

  @Test func `a missing resource returns 404, whatever ETag the client sends`() throws {
    let tag = try #require(app.get(Path.items).headers["ETag"])
    let other = "01935f6e-0000-7000-8000-000000000000"
    for path in [Path.item(other), "/devices/\(other)", "/api/taxonomies/nothing"] {
      for known in ["*", tag] {
        let answer = app.get(path, headers: ["If-None-Match": known])
        #expect(answer.status == .notFound, "\(path) \(known)")
        #expect(answer.headers["ETag"] == nil)
      }
    }
  }

  @Test func `HEAD has the response of GET without a body`() throws {
    for path in paths {
      let get = app.get(path)
      let head = app.send(.head, path)
      #expect(head.status == get.status, "\(path)")
      #expect(head.bytes.isEmpty)
      for name in ["ETag", "Content-Type", "Content-Length", "Cache-Control", "Vary"] {
        #expect(head.headers[name] == get.headers[name], "\(path) \(name)")
      }
    }
  }

  @Test func `public responses state their lifetime and allow any origin`() throws {
    for path in paths {
      let answer = app.get(path)
      #expect(answer.headers["Cache-Control"] == "public, max-age=0, must-revalidate", "\(path)")
      #expect(answer.headers["Vary"]?.contains("Accept") == true, "\(path)")
      let isAPI = path.hasPrefix("/api")
      #expect(answer.headers["Access-Control-Allow-Origin"] == (isAPI ? "*" : nil), "\(path)")
    }
  }

  @Test func `other methods are refused with the allowed ones`() throws {
    let written = [
      Path.items: "GET, HEAD, POST, OPTIONS",
      Path.item(device.id): "GET, HEAD, PUT, PATCH, DELETE, OPTIONS",
    ]
    for path in paths {
      let allowed = written[path] ?? "GET, HEAD, OPTIONS"
      for method in ["POST", "PUT", "PATCH", "DELETE", "QUERY"] where !allowed.contains(method) {
        let answer = app.send(Method(rawValue: method), path)
        #expect(answer.status == .methodNotAllowed, "\(method) \(path)")
        #expect(answer.headers["Allow"] == allowed)
      }
      let options = app.send(.options, path)
      #expect(options.status == .noContent)
      #expect(options.headers["Allow"] == allowed)
    }
  }
}
