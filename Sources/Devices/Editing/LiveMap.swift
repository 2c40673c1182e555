package import PrivacyMap
package import Service
package import SpatialDatabase

/// The database of a running instance together with the in-memory index. Background work writes
/// through it, so that both stay consistent.
package struct LiveMap: Sendable {
  package let database: Database
  package let index: MapIndex
  package let vocabulary: Vocabulary
  package let environment: Environment
  /// Maps points to countries; nil if set-up has not built the map of countries.
  package let countries: CountryMap?
  /// The tables of other features with rows about devices.
  let tables: [DeviceTable]

  package init(
    database: Database, index: MapIndex, vocabulary: Vocabulary, environment: Environment,
    countries: CountryMap?, features: [any Feature.Type]
  ) {
    self.database = database
    self.index = index
    self.vocabulary = vocabulary
    self.environment = environment
    self.countries = countries
    tables = features.flatMap { ($0 as? any DeviceTableFeature.Type)?.deviceTables ?? [] }
  }

  /// Writes devices and all their dependent rows.
  package var writer: DeviceWriter {
    DeviceWriter(
      vocabulary: vocabulary, environment: environment, countries: countries, tables: tables)
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
