import JSON
import Testing

@testable import WebServer

/// Members that all errors have in common.
enum Shape {
  /// Checks that a body is a problem of the given status, with exactly the common members.
  static func expectProblem(
    _ bytes: [UInt8], status: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let json = try JSONValue(parsing: bytes)
    #expect(json["status"]?.intValue == status, sourceLocation: sourceLocation)
    for name in ["type", "title", "detail", "instance"] {
      #expect(json[name]?.stringValue?.isEmpty == false, sourceLocation: sourceLocation)
    }
    let known = ["type", "title", "status", "detail", "instance", "errors"]
    for member in json.objectValue?.members ?? [] {
      #expect(known.contains(member.key), sourceLocation: sourceLocation)
    }
  }

  static let securityHeaders = [
    "Content-Security-Policy", "X-Content-Type-Options", "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy", "Referrer-Policy", "Permissions-Policy",
  ]
}

extension Response {
  /// The body as text.
  var text: String { String(decoding: body.bytes ?? [], as: UTF8.self) }
}
