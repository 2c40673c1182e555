import Devices
import JSON
import PrivacyMap
import SpatialDatabase

/// The statement of an organisation about a device that it operates: a subset of the fields that
/// contributors fill in, read by the same code.
struct Statement: Sendable {
  /// The fields that a statement may contain.
  static let fields: Set<String> = [
    "data_collected", "purposes", "retention", "legal_basis", "processing", "storage",
    "shared_with", "identifiability", "choices",
  ]

  /// The stated fields, as JSON.
  let content: JSONObject
  let note: String?

  init(_ said: DeviceFields, note: String?) {
    var content = JSONObject()
    func put(_ name: String, _ codes: [String]) {
      if !codes.isEmpty { content[name] = .array(codes.map { .string($0) }) }
    }
    func put(_ name: String, _ text: String?) {
      if let text { content[name] = .string(text) }
    }
    put("data_collected", said.dataCollected)
    put("purposes", said.purposes)
    put("retention", said.retention)
    put("legal_basis", said.legalBasis)
    put("processing", said.processing)
    put("storage", said.storage)
    put("shared_with", said.sharedWith)
    put("identifiability", said.identifiability)
    if !said.choices.isEmpty { content["choices"] = .array(said.choices.map(\.json)) }
    self.content = content
    self.note = note
  }

  var isEmpty: Bool { content.members.isEmpty && note == nil }

  /// The choices that a device's operator offers in its statement.
  static func offers(
    of device: String, _ connection: borrowing Connection
  ) throws -> [OfferedChoice] {
    let rowid = try connection.integer("SELECT rowid FROM device WHERE id = ?", [.text(device)])
    guard let rowid, let said = try ConfirmedOperator.statement(of: rowid, connection) else {
      return []
    }
    return (said["choices"]?.arrayValue ?? []).compactMap { OfferedChoice($0) }
  }
}
