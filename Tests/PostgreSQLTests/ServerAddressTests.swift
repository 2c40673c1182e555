import PostgreSQL
import Testing

/// URLs of databases. No error and no description contains a user or a password.
@Suite struct ServerAddressTests {
  @Test(arguments: [
    ("postgresql://ana:geheim@db.example.org/farol", "db.example.org/farol"),
    (
      "postgres://ana:geheim@db.example.org:5433/farol?sslmode=verify-full",
      "db.example.org:5433/farol"
    ),
    ("postgresql://ana:geheim@a:1,b:2/farol", "a:1, b:2/farol"),
    ("postgresql://ana:geheim@a,b:5433/farol", "a, b:5433/farol"),
    ("postgresql:///farol?host=/run/postgresql&user=ana&password=geheim", "/run/postgresql/farol"),
    ("postgresql://ana:geheim@[2001:db8::1]:5432/farol", "2001:db8::1:5432/farol"),
    ("postgresql://", "this machine"),
    ("postgresql://ana:geh%40eim%2F@db/farol", "db/farol"),
    ("postgresql://ana:geh?eim:#@db/farol", "db/farol"),
  ])
  func `a URL is described by its hosts and its database`(url: String, description: String) throws {
    let address = try ServerAddress(url: url)
    #expect("\(address)" == description)
    var dumped = ""
    dump(address, to: &dumped)
    for text in ["\(address)", String(reflecting: address), dumped] {
      #expect(!text.contains("geh"))
      #expect(!text.contains("ana"))
    }
  }

  @Test(arguments: [
    "", "data/farol.db", "mysql://ana:geheim@db/farol", "postgresql:/db", "host=db password=geheim",
    "postgresql://ana:geh@eim@db/farol", "postgresql://ana:geh/eim@db/farol",
    "postgresql://ana:geh@\u{301}eim@\u{301}db/farol", "postgresql://ana:12/geh@\u{301}eim",
    "postgresql://ana:12/geheim@db/farol",
    "postgresql://ana:geh%zzeim@db/farol", "postgresql://ana:geheim@db:70000/farol",
    "postgresql://ana:geheim@db:0/farol", "postgresql://ana:geheim@[::1/farol",
    "postgresql://ana:geheim@db/farol?nothing=1", "postgresql://ana:geheim@db/farol\0",
  ])
  func `a wrong URL is refused without repeating it`(url: String) throws {
    let refusal = try #require(fault { _ = try ServerAddress(url: url) })
    #expect(refusal.kind == .address)
    for secret in ["ana", "geh", "eim", "farol\0"] {
      #expect(!refusal.description.contains(secret))
    }
  }
}
