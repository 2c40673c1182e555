package import PrivacyMap
package import SpatialDatabase

/// The database of a running instance together with the in-memory index. Background work writes
/// through it, so that both stay consistent.
package struct LiveMap: Sendable {
  package let database: Database
  package let index: MapIndex
  package let vocabulary: Vocabulary
  package let surroundings: Surroundings
  /// Maps points to countries; nil if set-up has not built the map of countries.
  let countries: CountryMap?

  /// Writes devices and all their dependent rows.
  var writer: DeviceWriter {
    DeviceWriter(vocabulary: vocabulary, surroundings: surroundings, countries: countries)
  }

  /// Writes in a separate transaction and updates the index before it returns.
  ///
  /// - Throws: the errors of `body`, and ``DatabaseFault``. In these cases nothing was written.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T {
    let (result, news) = try database.write { (try body($0), try index.news($0)) }
    if let news { index.take(news) }
    return result
  }
}
