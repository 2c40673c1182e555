import Devices
package import Foundation
import Import
import JSON
package import PrivacyMap
import Reference
package import Service
package import SpatialDatabase
import WebServer

extension DeviceExports {
  /// Exports from a database file that a server may be using at the same time.
  ///
  /// - Parameters:
  ///   - database: opened read-only.
  ///   - seed: the folder with the allow-list of tags.
  ///   - places: the path of the gazetteer, for `place`.
  ///   - settings: name and licence of the instance.
  ///   - base: the address of the instance, for the addresses in a file.
  ///   - environment: the clock.
  /// - Throws: an error of the database or of the allow-list.
  package init(
    reading database: Database, seed: URL, places: String, settings: InstanceSettings,
    base: String, environment: Environment
  ) throws {
    try database.forbidReading(DeviceStore.privateTables)
    let vocabulary = try database.read { try TaxonomyStore().vocabulary($0) }
    self.init(
      store: DeviceStore(
        // An empty index, so that exports use SQL.
        database: database, index: MapIndex(vocabulary: vocabulary), vocabulary: vocabulary,
        environment: environment),
      parameters: DeviceParameters(
        vocabulary: vocabulary,
        places: try? PlaceStore(path: places, borders: BorderStore(beside: places)),
        licence: settings.licence),
      publicTags: try PublicTags(
        JSONValue(
          parsing: [UInt8](Data(contentsOf: seed.appendingPathComponent("public-tags.json"))))),
      settings: settings, addresses: Addresses(base: base))
  }

  /// Opens an export; `text` contains filters in the form of a URL query. Its total may be only an upper
  /// bound.
  ///
  /// It throws ``WrongFilter`` if the list of devices would not accept them.
  package func open(_ format: ExportFormat, text: String) throws -> DeviceExport {
    let request = Request(.get, text.isEmpty ? "/" : "/?\(text)")
    // A text that is not a query must not be read as an empty query, which would mean all devices.
    guard request.path == "/" else {
      throw WrongFilter(fields: [("filter", Message("error.bad_request"))])
    }
    let query = request.query
    let known = Set(parameters.declared.map(\.name))
    if let unknown = query.names.first(where: { !known.contains($0) }) {
      throw WrongFilter(fields: [(unknown, Message("error.unknown_parameter"))])
    }
    do { return try open(format, query, isCounted: false) } catch let wrong as InvalidInput {
      throw WrongFilter(fields: wrong.fields)
    }
  }
}

/// The errors in the filters of an export, field by field.
package struct WrongFilter: Error {
  let fields: [(name: String, message: Message)]

  /// One sentence for each error, from the catalogue in these folders.
  package func text(in folders: Folders) -> String {
    let catalogue = try? Catalogue(folders: folders.words)
    return fields.map { field in
      let words = catalogue?.text(field.message, in: Catalogue.defaultLanguage)
      return "\(field.name): \(words ?? field.message.key)"
    }.joined(separator: " ")
  }
}
