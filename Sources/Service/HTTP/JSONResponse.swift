package import JSON
package import WebServer

extension Response {
  /// A response with a JSON body.
  package static func json(_ value: JSONValue, status: Status = .ok) -> Response {
    var json = JSONWriter()
    json.value(value)
    return .json(json.bytes, status: status)
  }
}
