import Glibc
import PostgreSQL
import TestPostgreSQL
import Testing

/// A separate sentence reports each reason why a database cannot be used, without a secret.
@Suite struct ConnectingTests {
  private func refusal(
    _ url: String, _ change: (inout ConnectionLimits) -> Void = { _ in }
  ) throws -> ServerFault {
    var limits = ConnectionLimits.quick
    change(&limits)
    let refusal = try #require(
      fault { _ = try ServerConnection(ServerAddress(url: url), limits: limits) })
    #expect(!refusal.description.contains("geheim"))
    #expect(refusal.message.hasSuffix("."))
    #expect(!refusal.message.contains("\n"))
    return refusal
  }

  @Test func `a database with PostGIS is accepted`() throws {
    #expect(
      try Scratch.shared.get().connect().value("SELECT postgis_version() <> ''") == .boolean(true))
  }

  @Test func `settings of the URL do not change what Farol relies on`() throws {
    let url =
      try Scratch.shared.get().url
      + "&client_encoding=LATIN1&options=-c%20work_mem%3D1MB%20-c%20search_path%3Dpg_catalog"
    let connection = try ServerConnection(ServerAddress(url: url), limits: .quick)
    #expect(try connection.value("SELECT CAST(? AS text)", "日本語") == "日本語")
    #expect(try connection.value("SHOW work_mem") == "1MB")
    #expect(try connection.value("SHOW search_path") == "main,public")
    #expect(try connection.value("SHOW timezone") == "UTC")
  }

  @Test func `a port on which no program listens is named with the reason`() throws {
    let server = try FakeServer { _ in }
    server.stop()
    let port = server.port
    let refusal = try refusal("postgresql://ana:geheim@127.0.0.1:\(port)/farol")
    #expect(refusal.kind == .unreachable)
    #expect(
      refusal.message
        == "PostgreSQL at 127.0.0.1:\(port)/farol cannot be reached: Connection refused.")
  }

  @Test func `a socket that does not exist is named with the reason`() throws {
    let refusal = try refusal("postgresql:///farol?host=/nowhere&password=geheim")
    #expect(refusal.kind == .unreachable)
    #expect(refusal.message.contains("No such file or directory"))
  }

  @Test func `a host whose name is unknown is unreachable`() throws {
    let refusal = try refusal("postgresql://ana:geheim@nowhere.invalid/farol")
    #expect(refusal.kind == .unreachable)
    #expect(refusal.message.hasPrefix("PostgreSQL at nowhere.invalid/farol cannot be reached: "))
  }

  @Test func `a host that never answers is given up`() throws {
    let server = try FakeServer { client in
      while !FakeServer.receive(client).isEmpty {}
    }
    let start = ContinuousClock.now
    let refusal = try refusal("postgresql://ana:geheim@127.0.0.1:\(server.port)/farol") {
      $0.connect = .milliseconds(300)
    }
    #expect(refusal.kind == .unresponsive)
    #expect(refusal.message.contains("did not answer within 300 ms"))
    #expect(ContinuousClock.now - start < .seconds(20))
  }

  @Test(arguments: ["disable", "prefer"])
  func `a web server is not PostgreSQL`(sslmode: String) throws {
    let server = try FakeServer { client in
      _ = FakeServer.receive(client)
      FakeServer.send(Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), to: client)
    }
    let refusal = try refusal(
      "postgresql://ana:geheim@127.0.0.1:\(server.port)/farol?sslmode=\(sslmode)")
    #expect(refusal.kind == .notPostgreSQL)
  }

  @Test func `an old version is refused with its number`() throws {
    let server = try FakeServer { client in
      _ = FakeServer.receive(client)
      func status(_ name: String, _ value: String) -> [UInt8] {
        message("S", Array("\(name)\0\(value)\0".utf8))
      }
      FakeServer.send(
        message("R", [0, 0, 0, 0]) + status("server_version", "9.6.24")
          + status("server_encoding", "UTF8") + message("Z", Array("I".utf8)), to: client)
      while !FakeServer.receive(client).isEmpty {}
    }
    let refusal = try refusal(
      "postgresql://ana:geheim@127.0.0.1:\(server.port)/farol?sslmode=disable")
    #expect(refusal.kind == .tooOld)
    #expect(refusal.message.hasSuffix("has version 9; Farol needs 15 or later."))
  }

  @Test func `a database without PostGIS is told how to get it`() throws {
    let refusal = try refusal(TestPostgreSQL.shared.get().url("postgres"))
    #expect(refusal.kind == .noPostGIS)
    #expect(refusal.message.contains("CREATE EXTENSION postgis"))
  }

  @Test func `a database that does not exist is named`() throws {
    let refusal = try refusal(TestPostgreSQL.shared.get().url("nothing"))
    #expect(refusal.kind == .database)
    #expect(refusal.message.hasSuffix("/nothing has no database of this name."))
  }

  @Test func `a database in another encoding is refused`() throws {
    let scratch = try Scratch.shared.get()
    let connection = try scratch.connect()
    try connection.execute("DROP DATABASE IF EXISTS latin")
    try connection.execute(
      "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
    let refusal = try refusal(scratch.server.url("latin"))
    #expect(refusal.kind == .database)
    #expect(refusal.message.contains("LATIN1"))
  }

  @Test func `a database that does not sort texts by their bytes is refused`() throws {
    let scratch = try Scratch.shared.get()
    let connection = try scratch.connect()
    try connection.execute("DROP DATABASE IF EXISTS sorted")
    try connection.execute(
      "CREATE DATABASE sorted TEMPLATE template0 LC_COLLATE 'C.UTF-8' LC_CTYPE 'C'")
    let refusal = try refusal(scratch.server.url("sorted"))
    #expect(refusal.kind == .database)
    #expect(refusal.message.hasSuffix("has the locale C.UTF-8; create it with LOCALE 'C'."))
  }

  @Test func `passwords are checked, and a refusal repeats neither user nor password`() throws {
    let scratch = try Scratch.shared.get()
    let owner = try scratch.connect()
    try owner.execute("DROP ROLE IF EXISTS guest")
    try owner.execute("CREATE ROLE guest LOGIN PASSWORD 'right geheim'")
    let url = scratch.url.replacing("user=farol", with: "user=guest")

    let right = try ServerConnection(ServerAddress(url: url + "&password=right%20geheim"))
    #expect(try right.value("SELECT session_user::text") == "guest")
    for given in ["&password=wrong%20geheim", "&passfile=/nowhere"] {
      let refusal = try refusal(url + given)
      #expect(refusal.kind == .refused)
      #expect(!refusal.description.contains("guest"))
    }
    #expect(try refusal(url + "&passfile=/nowhere").message.contains("asks for a password"))
  }
}

extension BoundValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  public init(stringLiteral value: String) { self = .text(value) }
  public init(integerLiteral value: Int64) { self = .integer(value) }
}
