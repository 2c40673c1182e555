package import PrivacyMap
package import SpatialDatabase

/// The database of a running instance with what must stay in step with it: what work that outlives a
/// request writes through.
package struct LiveMap: Sendable {
  package let database: Database
  package let index: MapIndex
  package let vocabulary: Vocabulary
  package let surroundings: Surroundings
  /// In which country a point lies; nil where set-up has made no map of countries.
  let countries: CountryMap?

  /// Writes devices with all that hangs on them.
  var writer: DeviceWriter {
    DeviceWriter(vocabulary: vocabulary, surroundings: surroundings, countries: countries)
  }

  /// Writes in a transaction of its own, and brings the index up to date before it returns.
  ///
  /// - Throws: what `body` throws, and ``DatabaseFault``; then nothing was written.
  package func write<T>(_ body: (Connection) throws -> T) throws -> T {
    let (result, news) = try database.write { (try body($0), try index.news($0)) }
    if let news { index.take(news) }
    return result
  }
}
