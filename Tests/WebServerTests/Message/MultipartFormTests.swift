import Testing

@testable import WebServer

@Suite struct MultipartFormTests {
  private func form(
    _ body: String, contentType: String = "multipart/form-data; boundary=XX", inFile: Bool = false
  ) throws -> MultipartForm {
    var request = Request(.post, "/x", headers: ["Content-Type": contentType])
    let bytes = Array(body.utf8)
    if inFile {
      let stored = try #require(StoredBody())
      #expect(bytes.withUnsafeBytes { stored.append($0) })
      request.storedBody = stored
    } else {
      request.body = bytes
    }
    return try MultipartForm(request)
  }

  private func part(_ name: String, _ content: String, more: String = "") -> String {
    "--XX\r\nContent-Disposition: form-data; name=\"\(name)\"\(more)\r\n\r\n\(content)\r\n"
  }

  @Test(arguments: [false, true]) func `fields and files are found`(inFile: Bool) throws {
    let file = String(repeating: "a,b\r\n--XY\r\n", count: 60_000)
    let body =
      part("mapping", "auto") + part("empty", "")
      + part("file", file, more: "; filename=\"list %22one%22.csv\"\r\nContent-Type: Text/CSV; x=1")
      + "--XX--\r\n"
    let form = try form(body, inFile: inFile)
    #expect(form.parts.map(\.name) == ["mapping", "empty", "file"])
    #expect(form.parts.map(\.fileName) == [nil, nil, "list \"one\".csv"])
    #expect(form.parts.map(\.mediaType) == [nil, nil, "text/csv"])
    #expect(
      form.parts.map { String(decoding: form.bytes(of: $0), as: UTF8.self) } == ["auto", "", file])
    #expect(try form.part("mapping")?.range.count == 4)
    #expect(try form.part("other") == nil)
  }

  @Test func `a boundary that spans two chunks of a file is found`() throws {
    for shift in 0..<8 {
      let content = String(repeating: "x", count: (256 << 10) - 70 + shift)
      let form = try form(part("a", content) + part("b", "end") + "--XX--", inFile: true)
      #expect(form.parts.map(\.range.count) == [content.count, 3])
    }
  }

  @Test func `a name of two hundred bytes is accepted, and a longer one refused`() throws {
    let name = String(repeating: "a", count: 200)
    #expect(try form(part(name, "x") + "--XX--").parts.map(\.name) == [name])
    #expect(throws: MalformedForm.self) { try form(part(name + "a", "x") + "--XX--") }
  }

  @Test func `a media type of a thousand bytes is read, and a longer value ignored`() {
    let rest = String(repeating: "x", count: 1_000 - 10)
    let fits = Request(.post, "/x", headers: ["Content-Type": "Text/Csv;\(rest)x"])
    #expect(fits.mediaType == "text/csv")
    let longer = Request(.post, "/x", headers: ["Content-Type": "Text/Csv;\(rest)xx"])
    #expect(longer.mediaType == nil)
  }

  @Test(arguments: [
    "", "x", "--XX", "--XX\r\n", "--XX--", "--XY\r\n", "--XXContent",
    "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end",
    "--XX\r\nContent-Disposition: form-data\r\n\r\nx\r\n--XX--",
    "--XX\r\nContent-Disposition: attachment; name=\"a\"\r\n\r\nx\r\n--XX--",
    "--XX\r\nnonsense\r\n\r\nx\r\n--XX--", "--XX\r\n\r\nx\r\n--XX--",
    "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nx\r\n--XXand more",
  ])
  func `malformed forms are refused`(body: String) throws {
    // A form without fields is complete.
    if body == "--XX--" {
      #expect(try form(body).parts.isEmpty)
    } else {
      #expect(throws: MalformedForm.self) { try form(body) }
    }
  }

  @Test(arguments: [
    ("multipart/form-data", false), ("multipart/form-data; boundary=", false),
    ("multipart/form-data; boundary=XX", true), ("multipart/form-data; boundary=\"XX\"", true),
    ("Multipart/Form-Data; charset=utf-8; Boundary=XX", true), ("text/plain; boundary=XX", false),
    ("multipart/form-data; boundary=" + String(repeating: "X", count: 71), false),
  ])
  func `the boundary comes from Content-Type`(contentType: String, isGood: Bool) throws {
    let body = part("a", "x") + "--XX--"
    if isGood {
      #expect(try form(body, contentType: contentType).parts.count == 1)
    } else {
      #expect(throws: MalformedForm.self) { try form(body, contentType: contentType) }
    }
  }

  @Test func `a form has at most twenty fields, and a single field occurs once`() throws {
    let many = (0..<20).map { part("f\($0)", "x") }.joined()
    #expect(try form(many + "--XX--").parts.count == 20)
    #expect(throws: MalformedForm.self) { try form(many + part("g", "x") + "--XX--") }
    let twice = try form(part("a", "x") + part("a", "y") + "--XX--")
    #expect(throws: MalformedForm.self) { try twice.part("a") }
  }
}
