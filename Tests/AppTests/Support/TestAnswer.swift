import Compression
import JSON
import Testing
import WebServer

/// A response with its body read.
struct TestAnswer {
  let status: Status
  let headers: Headers
  let bytes: [UInt8]

  init(_ response: Response) {
    status = response.status
    headers = response.headers
    bytes = (try? response.collectBody()) ?? []
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The body as JSON; invalid JSON fails the test.
  var json: JSONValue {
    get throws { try JSONValue(parsing: bytes) }
  }

  /// The body, decompressed if it is gzip.
  var plainBytes: [UInt8] {
    get throws { Gzip.isGzip(bytes) ? try Gzip.decompress(bytes, limit: 64 << 20) : bytes }
  }

  var features: [JSONValue] {
    get throws { try #require(try json["features"]?.arrayValue) }
  }

  var ids: [String] {
    get throws { try features.map { try #require($0["id"]?.stringValue) } }
  }

  /// Names of the devices, in the order of the response.
  var names: [String] {
    get throws { try features.map { try #require($0["properties"]?["name"]?.stringValue) } }
  }

  /// Categories of the devices, in alphabetical order.
  var categories: [String] {
    get throws {
      try features.map { try #require($0["properties"]?["category"]?.stringValue) }.sorted()
    }
  }

  var matched: Int {
    get throws { try #require(try json["numberMatched"]?.intValue) }
  }

  /// The link with a relation, as in the body.
  func link(_ relation: String) throws -> JSONValue? {
    try json["links"]?.arrayValue?.first { $0["rel"]?.stringValue == relation }
  }

  /// The fields that a problem names.
  var fields: [String] {
    get throws {
      try (json["errors"]?.arrayValue ?? []).map { try #require($0["field"]?.stringValue) }
    }
  }
}
