import Devices
import PrivacyMap
import Reference
import Service
import SpatialDatabase

/// The content of a device page for readers without scripts.
struct DeviceSummary {
  let name: String
  let category: String
  let definition: String
  private let data: [String]
  private let operatorName: String?
  private let status: String
  private let description: String?

  /// - Returns: nil if there is no such public device.
  init?(id: DeviceID, language: String, store: DeviceStore, names: DeviceNames) throws {
    let found = try store.database.readQuickly { connection in
      func label(_ scheme: String, _ code: String) throws -> (String, String) {
        try TaxonomyStore().words(scheme, code, in: language, connection) ?? (code, "")
      }
      guard let row = try PageStore().device(id, connection) else {
        return (String, (String, String), [String], String?, String, String?)?.none
      }
      return (
        try names.shown(of: id.text, in: language, connection) ?? row.name,
        try label("categories", row.category),
        try row.data.map { try label("data", $0).0 }, row.operatorName,
        try label("statuses", row.status).0, row.description
      )
    }
    guard let found else { return nil }
    (name, (category, definition), data, operatorName, status, description) = found
  }

  /// A heading and a list of facts; unknown ones are marked as unknown.
  func html(_ catalogue: Catalogue, _ language: String) -> HTML {
    func words(_ key: String) -> String { catalogue.text(Message(key), in: language) }
    let unknown = words("page.device.unknown")
    let facts = [
      ("page.device.category", category), ("page.device.status", status),
      ("page.device.data", data.isEmpty ? unknown : data.joined(separator: ", ")),
      ("page.device.operator", operatorName ?? unknown),
    ].map { key, value in "<dt>\(words(key))</dt><dd>\(value)</dd>" as HTML }
    let text = description.map { "<p>\($0)</p>" as HTML } ?? ""
    return "<h1>\(name)</h1><dl>\(HTML(joining: facts))</dl>\(text)"
  }
}
