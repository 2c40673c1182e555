import SpatialDatabase

/// Reads whether the database is ready for use.
struct HealthStore {
  func hasCategories(_ connection: borrowing Connection) throws -> Bool {
    try connection.integer("SELECT 1 FROM category LIMIT 1") != nil
  }
}
