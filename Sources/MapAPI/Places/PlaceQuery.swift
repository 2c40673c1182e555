/// The query that ranks places; its plan and its speed are those of `data/places.db` as set-up makes
/// it.
enum PlaceQuery {
  /// Binds the full-text query twice and the limit.
  static let search = ""
}
