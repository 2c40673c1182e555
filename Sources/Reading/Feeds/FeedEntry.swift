/// A device in a feed. It does not contain the person who changed the device.
struct FeedEntry {
  let rowid: Int64
  let id: String
  let name: String
  /// The translated name.
  let category: String
  let status: String
  let longitude: Double
  let latitude: Double
  let createdAt: String
  let updatedAt: String
  /// Nil for contributions to this instance.
  let licence: String?

  var isNew: Bool { createdAt == updatedAt }
}
