import Testing

@testable import WebServer

@Suite struct HeadersTests {
  @Test func `names are case-insensitive and keep their order`() {
    var headers: Headers = ["Accept": "a", "X-B": "b"]
    headers.add("ACCEPT", "c")
    #expect(headers["accept"] == "a")
    #expect(headers.values("Accept") == ["a", "c"])
    #expect(headers.all.map(\.name) == ["Accept", "X-B", "ACCEPT"])
    #expect(headers["Accep"] == nil)
    #expect(headers["Accept2"] == nil)
  }

  @Test func `setting a value replaces every field of that name`() {
    var headers: Headers = ["A": "1", "B": "2"]
    headers.add("a", "3")
    headers["A"] = "4"
    #expect(headers.values("A") == ["4"])
    #expect(headers["B"] == "2")
    headers["A"] = nil
    #expect(!headers.contains("A"))
    #expect(headers.count == 1)
  }

  @Test func `a value cannot end its header line`() {
    var headers = Headers()
    headers.add("A", "x\r\nSet-Cookie: y\u{0}z")
    #expect(headers["A"] == "x  Set-Cookie: y z")
  }

  @Test func `lists are merged without duplicates`() {
    var headers = Headers()
    headers.merge("Vary", "Accept")
    headers.merge("Vary", "accept, Accept-Encoding")
    #expect(headers["Vary"] == "Accept, Accept-Encoding")
  }

  @Test func `missing fields are added and present ones kept`() {
    var headers: Headers = ["A": "own"]
    headers.addMissing(["a": "other", "B": "b"])
    #expect(headers.values("A") == ["own"])
    #expect(headers["B"] == "b")
    var empty = Headers()
    empty.addMissing(["B": "b"])
    empty.addMissing(["C": "c"])
    #expect(empty.all.map(\.value) == ["b", "c"])
  }

  @Test func `C functions receive complete strings`() {
    let headers: Headers = ["A": "1", "Bü": "", "C": "three"]
    var seen: [String] = []
    headers.forEachCString { seen.append(String(cString: $0) + "=" + String(cString: $1)) }
    #expect(seen == ["A=1", "Bü=", "C=three"])
  }
}
