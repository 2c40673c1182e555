import Devices
import JSON
import Service
import WebServer

/// Reads the filter of a watch: the query parameters of lists, except parameters that select an area or a time.
struct WatchFilter: Sendable {
  let parameters: DeviceParameters

  /// The maximum number of values in a filter.
  private static let maximum = 300

  var names: [String] { parameters.namesForWatches }

  /// The filter that lists would have.
  ///
  /// - Throws: ``InvalidInput`` with the name of the invalid parameter.
  func filter(_ stored: JSONObject) throws -> DeviceFilter {
    try parameters.filter(try query(stored))
  }

  private func query(_ stored: JSONObject) throws -> Query {
    let known = Set(names)
    var pairs: [(String, String)] = []
    for (name, value) in stored.members {
      guard known.contains(name) else {
        throw InvalidInput("filter.\(PlainText.clipped(name))", Message("error.unknown_member"))
      }
      let values = value.arrayValue ?? [value]
      let texts = values.compactMap(\.stringValue)
      guard texts.count == values.count, pairs.count + texts.count <= Self.maximum else {
        throw InvalidInput("filter.\(name)", Message("error.type.text"))
      }
      pairs += texts.map { (name, $0) }
    }
    return Query(pairs)
  }
}
