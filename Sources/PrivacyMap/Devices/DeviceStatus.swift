/// Whether the device is believed to exist.
package enum DeviceStatus: String, CaseIterable, Sendable {
  case reported, confirmed, disputed, removed
  case notADevice = "not_a_device"

  /// The statuses shown by default: devices that are believed to be in place.
  package static let standing: [DeviceStatus] = [.reported, .confirmed, .disputed]
}

/// The space that a device watches.
package enum Setting: String, CaseIterable, Sendable {
  case `public`, outdoor, indoor
}
