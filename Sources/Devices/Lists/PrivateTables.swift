extension DeviceStore {
  /// The tables that contain true points, also of deleted devices.
  package static let privateTables: Set<String> = [
    "device_location", "revision_location", "tombstone_content", "proposal_row",
  ]
}
