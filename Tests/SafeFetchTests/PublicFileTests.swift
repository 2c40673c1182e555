import Foundation
import Testing

@testable import SafeFetch

/// Farol fetches a file from an address that a user entered, and cannot be redirected to another
/// host.
@Suite struct PublicFileTests {
  @Test(
    arguments: [
      ("1.1.1.1", true), ("9.255.255.255", true), ("10.0.0.0", false), ("10.255.255.255", false),
      ("11.0.0.0", true), ("0.0.0.0", false), ("127.0.0.1", false), ("169.254.169.254", false),
      ("172.15.255.255", true), ("172.16.0.0", false), ("172.31.255.255", false),
      ("172.32.0.0", true), ("192.168.0.1", false), ("192.169.0.0", true), ("100.63.255.255", true),
      ("100.64.0.0", false), ("100.127.255.255", false), ("100.128.0.0", true),
      ("198.17.255.255", true), ("198.18.0.0", false), ("198.19.255.255", false),
      ("203.0.113.9", false), ("223.255.255.255", true), ("224.0.0.1", false),
      ("255.255.255.255", false), ("2606:4700::1111", true), ("::1", false), ("::", false),
      ("::ffff:10.0.0.1", false), ("::ffff:1.1.1.1", false), ("64:ff9b::a00:1", false),
      ("fe80::1", false), ("fc00::1", false), ("fd12::1", false), ("ff02::1", false),
      ("2001::1", false), ("2001:1ff:ffff::1", false), ("2001:200::1", true),
      ("2001:db8::1", false), ("2002:a00:1::1", false), ("3fff::1", false), ("4000::1", false),
    ])
  func `public and private addresses are distinguished`(text: String, isPublic: Bool) throws {
    let address = try #require(PublicAddress.all(of: text).first)
    #expect(address.isPublic == isPublic)
    #expect(address.bytes.count == (text.contains(":") ? 16 : 4))
  }

  @Test func `a name with one private address is refused`() {
    let open = PublicAddress(bytes: [1, 1, 1, 1])
    let own = PublicAddress(bytes: [127, 0, 0, 1])
    for (found, failure) in [
      ([], PublicFileFailure.unknownHost), ([own], .notPublic), ([open, own], .notPublic),
    ] {
      #expect(throws: failure) {
        try PublicFile(resolver: NameResolver { _ in found }).read("exemplo.example", "/short")
      }
    }
    for name in ["localhost", "127.0.0.1", "0x7f000001", "2130706433"] {
      #expect(throws: (any Error).self, "\(name)") { try PublicFile().read(name, "/") }
    }
  }

  @Test(arguments: ["/silent", "/dripping"])
  func `a request to a site ends after ten seconds, whatever the site sends`(
    path: String
  ) throws {
    let site = try Site()
    let file = PublicFile(
      loopback: PublicFile.Loopback(port: site.port, authorities: site.certificate))
    let start = ContinuousClock.now
    #expect(throws: PublicFileFailure.unreachable) { try file.read("exemplo.example", path) }
    let lasted = start.duration(to: .now)
    #expect(lasted > .milliseconds(9_500))
    #expect(lasted < .seconds(20))
  }

  @Test func `calls of a webhook share a connection, and reading a file does not`() throws {
    let site = try Site()
    let file = PublicFile(
      loopback: PublicFile.Loopback(port: site.port, authorities: site.certificate))
    func call(_ path: String) throws {
      try file.post(Array("{}".utf8), headers: [], to: "exemplo.example", path)
    }
    for path in ["/1", "/2", "/3"] { try call(path) }
    #expect(try file.read("exemplo.example", "/short") == Array("a line\n".utf8))
    // A refused call leaves the connection open too.
    #expect(throws: PublicFileFailure.notThere) { try call("/1") }
    try call("/5")
    // Another name has another connection, even at the same address.
    #expect(throws: PublicFileFailure.untrusted) {
      try file.post([], headers: [], to: "other.example", "/6")
    }
    try call("/6")
  }

  @Test func `an open connection is only used for its name, address and port`() throws {
    let connections = OpenConnections()
    let place = OpenConnections.Place(host: "exemplo.example", address: "127.0.0.1:443")
    let handle = try #require(connections.take(place))
    connections.keep(handle, place)
    #expect(connections.take(place) == handle)
    let other = OpenConnections.Place(host: "exemplo.example", address: "127.0.0.1:444")
    let another = try #require(connections.take(other))
    #expect(another != handle)
    connections.keep(handle, place)
    connections.keep(another, other)
  }

  @Test func `a name is not looked up again within a minute while its connection is open`() throws {
    for (age, isReused) in [(Duration.seconds(50), true), (.seconds(61), false)] {
      let connections = OpenConnections()
      let place = OpenConnections.Place(
        host: "exemplo.example", address: "127.0.0.1:443", foundAt: .now - age)
      #expect(connections.take(host: place.host) == nil)
      let handle = try #require(connections.take(place))
      connections.keep(handle, place)
      #expect(connections.take(host: "other.example") == nil)
      let found = connections.take(host: place.host)?.handle
      #expect(found == (isReused ? handle : nil))
      if found == nil {
        // The connection is used if the name is found at the same address.
        let again = OpenConnections.Place(host: place.host, address: place.address)
        #expect(connections.take(again) == handle)
      }
      connections.keep(handle, place)
    }
  }

  @Test func `a file is read completely, up to 4 KiB, and only from its site`() throws {
    let site = try Site()
    let file = PublicFile(
      loopback: PublicFile.Loopback(port: site.port, authorities: site.certificate))
    #expect(try file.read("exemplo.example", "/short") == Array("a line\n".utf8))
    #expect(try file.read("exemplo.example", "/whole").count == 4_096)
    #expect(throws: PublicFileFailure.tooLong) { try file.read("exemplo.example", "/long") }
    #expect(throws: PublicFileFailure.notThere) { try file.read("exemplo.example", "/away") }
    #expect(throws: PublicFileFailure.notThere) { try file.read("exemplo.example", "/none") }
    // The certificate is for another name.
    #expect(throws: PublicFileFailure.untrusted) { try file.read("other.example", "/short") }
    let stranger = PublicFile(
      loopback: PublicFile.Loopback(
        port: site.port, authorities: "/etc/ssl/certs/ca-certificates.crt"))
    #expect(throws: PublicFileFailure.untrusted) { try stranger.read("exemplo.example", "/short") }
  }
}
