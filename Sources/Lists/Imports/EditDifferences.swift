import Devices
import JSON
import SpatialDatabase

/// One field of a device that an edit changes.
struct FieldDifference: Equatable, Sendable {
  /// The name of the property in the API; `position` for the public point.
  let field: String
  /// As text: a code, codes in JSON, a number, or “latitude, longitude”; nil if unknown.
  let before, after: String?
}

extension DeviceEdit {
  /// Columns that the server computes from others.
  private static let computed: Set<String> = ["stale_on", "assumed", "hidden"]

  /// The changes of the edit for display, without computed columns.
  func differences(_ connection: borrowing Connection) throws -> [FieldDifference] {
    try columns.compactMap { column in
      let before = stored.columns[column.name] ?? .null
      switch column.name {
      case let name where Self.computed.contains(name): return nil
      case "latitude" where columns.contains { $0.name == "longitude" }: return nil
      case "longitude", "latitude":
        return FieldDifference(
          field: "position", before: point { stored.columns[$0] },
          after: point { name in columns.last { $0.name == name }?.value ?? stored.columns[name] })
      case "operator_rowid":
        return FieldDifference(
          field: "operator", before: try Self.operator(before, connection),
          after: try Self.operator(column.value, connection))
      default:
        return FieldDifference(
          field: column.name, before: Self.text(before), after: Self.text(column.value))
      }
    }
  }

  private func point(_ value: (String) -> SQLValue?) -> String? {
    guard let latitude = value("latitude")?.realValue, let longitude = value("longitude")?.realValue
    else { return nil }
    return "\(latitude), \(longitude)"
  }

  private static func `operator`(
    _ rowid: SQLValue, _ connection: borrowing Connection
  ) throws -> String? {
    guard let rowid = rowid.integerValue,
      let members = try OperatorStore().members(of: rowid, connection)
    else { return nil }
    return members["name"]?.stringValue ?? members["kind"]?.stringValue
  }

  private static func text(_ value: SQLValue) -> String? {
    switch value {
    case .null: nil
    case .integer(let number): String(number)
    case .real(let number):
      number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : "\(number)"
    case .text(let text): text.isEmpty || text == "[]" ? nil : text
    default: nil
    }
  }
}
