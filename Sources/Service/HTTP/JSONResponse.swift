package import JSON
package import WebServer

extension JSONValue {
  /// The serialised JSON.
  package var text: String {
    var json = JSONWriter()
    json.value(self)
    return String(decoding: json.bytes, as: UTF8.self)
  }
}

extension Response {
  /// A response with a JSON body.
  package static func json(_ value: JSONValue, status: Status = .ok) -> Response {
    var json = JSONWriter()
    json.value(value)
    return .json(json.bytes, status: status)
  }
}
