package import Service

/// A table of another feature whose rows refer to a device by `device_rowid`.
package struct DeviceTable: Sendable {
  package let name: String
  /// Whether the rows remain when the device is removed, and refer to it again after it is restored. The rows of other
  /// tables are removed and restored with the device.
  package let outlivesDevice: Bool

  package init(_ name: String, outlivesDevice: Bool = false) {
    (self.name, self.outlivesDevice) = (name, outlivesDevice)
  }
}

/// A feature whose own tables have rows about devices.
package protocol DeviceTableFeature: Feature {
  static var deviceTables: [DeviceTable] { get }
}
