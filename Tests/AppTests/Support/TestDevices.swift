@testable import App
@testable import Devices
import Foundation
import JSON
import PrivacyMap
import SpatialDatabase

/// A category by the most readable name for tests.
struct CategoryCode: RawRepresentable, ExpressibleByStringLiteral {
  var rawValue: String

  init(rawValue: String) { self.rawValue = rawValue }
  init(stringLiteral value: String) { rawValue = value }

  static let cameraFixed: CategoryCode = "camera_fixed"
  static let microphone: CategoryCode = "microphone"
  static let beacon: CategoryCode = "beacon"
  static let webcam: CategoryCode = "webcam"
  static let alpr: CategoryCode = "alpr"
  static let doorbell: CategoryCode = "doorbell_camera"
}

/// A device that a test has added.
struct TestDevice {
  let rowid: Int64
  let id: String
}

extension TestApp {
  var writer: DeviceWriter { app.map.writer }

  /// Adds a device as the program itself does.
  @discardableResult
  func device(
    _ category: CategoryCode = .cameraFixed, name: String = "A device", longitude: Double = 0,
    latitude: Double = 0, precision: Precision = .exact,
    _ change: (inout DeviceFields) -> Void = { _ in }
  ) throws -> TestDevice {
    var fields = DeviceFields(name: name, category: category.rawValue)
    change(&fields)
    let placement = DeviceWriter.Placement(
      place: try Coordinate(longitude: longitude, latitude: latitude), precision: precision)
    return try app.write { connection in
      try add(fields, placement, connection)
    }
  }

  /// Adds many devices in one transaction.
  @discardableResult
  func devices(
    _ devices: [(fields: DeviceFields, placement: DeviceWriter.Placement)]
  ) throws -> [TestDevice] {
    try app.write { connection in
      try devices.map { try add($0.fields, $0.placement, connection) }
    }
  }

  private func add(
    _ fields: DeviceFields, _ placement: DeviceWriter.Placement, _ connection: Connection
  ) throws -> TestDevice {
    let rowid = try writer.add(
      fields, at: placement, source: nil, by: DeviceWriter.Author(kind: .add), connection)
    let id = try connection.text("SELECT id FROM device WHERE rowid = ?", [.integer(rowid)])
    return TestDevice(rowid: rowid, id: id ?? "")
  }

  /// Changes the values of a device, as an edit by a person would.
  func edit(
    _ device: TestDevice, by account: Int64? = nil, _ change: (inout DeviceEdit) -> Void
  ) throws {
    try app.write { connection in
      guard let stored = try StoredDevice(rowid: device.rowid, connection) else { return }
      var edit = DeviceEdit(stored: stored, wanted: [], merging: .replacing)
      change(&edit)
      try writer.apply(
        edit, to: device.rowid, by: DeviceWriter.Author(kind: .edit, account: account),
        kind: .changed, connection)
    }
  }

  /// Hides a device, as a moderator would.
  func hide(_ device: TestDevice) throws {
    try edit(device) { $0.columns.append(("hidden", 1)) }
  }

  /// Withdraws a device, as undoing its import does.
  func withdraw(_ device: TestDevice) throws {
    try app.write { connection in
      _ = try writer.dismiss(
        device.rowid, as: .withdrawn, by: DeviceWriter.Author(kind: .undo), connection)
    }
  }

  /// The first number of a query.
  func integer(_ sql: String, _ arguments: [SQLValue] = []) throws -> Int64? {
    try database.read { try $0.integer(sql, arguments) }
  }

  /// The first text of a query.
  func text(_ sql: String, _ arguments: [SQLValue] = []) throws -> String? {
    try database.read { try $0.text(sql, arguments) }
  }
}

/// Paths that many tests request.
enum Path {
  static let items = "/api/collections/devices/items"
  static let collection = "/api/collections/devices"

  static func item(_ id: String) -> String { items + "/" + id }

  static func tile(_ z: Int, _ x: Int, _ y: Int) -> String {
    "/api/tiles/devices/\(z)/\(x)/\(y).mvt"
  }
}
