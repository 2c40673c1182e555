import Devices
import Downloads
import Filters
package import Foundation
import Import
import JSON
import PrivacyMap
import Reading
import Reference
import Service
package import SpatialDatabase
import WebServer

/// The work of requests without HTTP: the calls of the stores and the encoding of the results. `make
/// bench` measures the server against it.
///
/// Routing, parameters, conditions, headers and sockets are left out: a request is parsed once, and its
/// work is then repeated.
package struct BareAnswers: Sendable {
  /// Does the work once and returns the number of bytes produced.
  package typealias Work = @Sendable () throws -> Int

  /// A request that is not supported here.
  package struct Unknown: Error, CustomStringConvertible {
    package let description: String
  }

  private let store: DeviceStore
  private let parameters: DeviceParameters
  private let publicTags: PublicTags
  private let places: PlaceStore?

  /// - Parameters:
  ///   - database: may be read-only.
  ///   - seed: the folder with the allow-list of tags.
  ///   - places: the path of the gazetteer.
  /// - Throws: an error of the database or of the allow-list.
  package init(database: Database, seed: URL, places: String) throws {
    let vocabulary = try database.read { try TaxonomyStore().vocabulary($0) }
    let index = MapIndex(vocabulary: vocabulary)
    try index.load(from: database)
    store = DeviceStore(
      database: database, index: index, vocabulary: vocabulary,
      environment: Environment {
        Timestamp(secondsSinceEpoch: Int64(Date().timeIntervalSince1970))
      })
    self.places = try? PlaceStore(path: places)
    parameters = DeviceParameters(
      vocabulary: vocabulary, places: self.places, licence: InstanceSettings().licence)
    publicTags = try PublicTags(
      JSONValue(
        parsing: [UInt8](Data(contentsOf: seed.appendingPathComponent("public-tags.json")))))
  }

  /// Parses a request such as `/api/tiles/devices/4/8/5.mvt`.
  ///
  /// - Throws: ``Unknown``, or an error in its query.
  package func work(for target: String) throws -> Work {
    let request = Request(.get, target)
    let segments = request.path.split(separator: "/").map(String.init)
    switch (segments.dropFirst().first, segments.last) {
    case (nil, "healthz"): return { 20 }
    case ("exports", _): return try export(request.query)
    case ("places", _): return try place(request.query)
    case ("statistics", _): return try statistics(request.query)
    case ("tiles", .some(let last)):
      return try tile(segments.dropLast().suffix(2) + [String(last.prefix { $0 != "." })], request)
    case ("collections", "items"): return try page(request.query)
    case ("collections", .some(let id)): return try item(id)
    default: throw Unknown(description: "unsupported request: \(target)")
    }
  }

  private func page(_ query: Query) throws -> Work {
    let filter = try parameters.filter(query)
    let limit = try DeviceRoutes.limit(query["limit"])
    let writer = DeviceGeoJSON(properties: DeviceProperty.ofLists, publicTags: publicTags)
    return { [store] in
      var json = JSONWriter(capacity: 420 * limit)
      try store.database.read { connection in
        let page = try store.page(
          filter, order: DeviceOrder(), after: nil, limit: limit, digest: "", connection)
        _ = try writer.write(page, to: &json, connection: connection, crs: .crs84)
      }
      return json.bytes.count
    }
  }

  /// Iterates over the rows of a table of devices without writing.
  private func export(_ query: Query) throws -> Work {
    let filter = try parameters.filter(query)
    let selection = FlatSelection()
    return { [store] in
      try store.database.read(limit: .none) { connection in
        var count = 0
        try ExportedDevices(filter, store: store, connection)
          .forEach(selection.sql, connection) { _ in count += 1 }
        return count
      }
    }
  }

  private func item(_ text: String) throws -> Work {
    guard DeviceID(text: text) != nil else { throw Unknown(description: "no id: \(text)") }
    let features = DeviceFeatures(
      publicTags: publicTags, licence: parameters.licence, addresses: Addresses(base: ""))
    return { [store] in
      try store.database.read { connection in
        let device = try FoundDevice(text, for: .nobody, connection)
        return try features.feature(of: device, connection).bytes.count
      }
    }
  }

  private func tile(_ numbers: [String], _ request: Request) throws -> Work {
    let parts = numbers.compactMap { Int($0) }
    let filter = try parameters.filter(request.query)
    let today = store.environment.now().day
    guard parts.count == 3, let address = TileAddress(z: parts[0], x: parts[1], y: parts[2]),
      let points = filter.pointFilter(vocabulary: store.vocabulary, today: today)
    else { throw Unknown(description: "not the tile of an indexed filter: \(request.path)") }
    let words = TileVocabulary(store.vocabulary)
    return { [store] in
      VectorTile.encode(store.index.snapshot.tile(address, matching: points), words).count
    }
  }

  private func statistics(_ query: Query) throws -> Work {
    let today = store.environment.now().day
    let question = try StatisticsParameters(parameters: parameters)
      .question(query, today: today, language: Catalogue.defaultLanguage)
    let statistics = StatisticsStore(devices: store, countries: CountrySizes(nil)) { [] }
    return { try statistics.answer(question, today: today).json.count }
  }

  private func place(_ query: Query) throws -> Work {
    guard let places else { throw Unknown(description: "there is no gazetteer") }
    let words = query["q"] ?? ""
    return { try places.places(named: words, limit: 8, language: "en").count }
  }
}
