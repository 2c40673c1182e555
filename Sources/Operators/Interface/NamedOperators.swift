import Devices
import Foundation
internal import Locking
import PrivacyMap
import Reference
package import Service
package import SpatialDatabase

/// The operators that devices on the map name, each with a page.
package struct NamedOperators: WithholdsOperators {
  let map: LiveMap
  let places: PlaceStore?
  let versions: AnswerVersions
  let catalogue: Catalogue
  let publicChanges: PublicChanges
  let rulings: RulingStore
  private let memory = OperatorMemory()

  static let tag = "Operators"

  package init(_ instance: Instance) throws {
    (map, places) = try (instance.map, instance.places)
    (versions, catalogue) = (instance.versions, instance.catalogue)
    publicChanges = instance.publicChanges
    rulings = RulingStore(environment: instance.environment)
  }

  package var endpoints: [Endpoint] {
    NamedOperatorRoutes(operators: self).endpoints + RulingRoutes(operators: self).endpoints
  }

  package var schemas: [Schema] {
    [
      NamedOperatorJSON.page.component, NamedOperatorJSON.one.component,
      RulingRoutes.shape.component, RulingRoutes.list.component,
    ] + RulingRoutes.bodies
  }

  package static let restores = RestoreRule.of(
    "operators", ["operator_ruling": .repeats([.operatorName])])

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    entry.kind == .operatorName ? try rulings.withholdAgain(entry, connection) : nil
  }

  package func withheldOperators() throws -> Set<UInt32> { try directory().withheld }

  /// The operators of the present state of the map.
  ///
  /// - Throws: ``TooCostly`` on a thread that serves sockets, if they have to be computed.
  func directory() throws -> OperatorDirectory {
    let version = versions.version
    if let found = memory.directory(version) { return found }
    // The first read leaves the threads that serve sockets, and counting does not occupy a connection.
    let decided = try map.database.read { try rulings.rulings($0) }
    let counts = OperatorDirectory.Counts(
      of: map.index.snapshot, map.vocabulary, towns: try towns())
    let made = try map.database.read { connection in
      try OperatorDirectory(of: counts, former: memory.last, rulings: decided, connection)
    }
    memory.keep(made, version)
    return made
  }

  /// The towns of the gazetteer; nil if set-up has not made it.
  func towns() throws -> TownIndex? {
    guard let places else { return nil }
    if let towns = memory.towns { return towns }
    let towns = try places.towns()
    memory.keep(towns)
    return towns
  }
}

/// The state that ``NamedOperators`` keeps between requests.
private final class OperatorMemory: Sendable {
  private struct Content {
    var version: String?
    var directory: OperatorDirectory?
    var towns: TownIndex?
  }

  private let content = Locked(Content())

  func directory(_ version: String) -> OperatorDirectory? {
    content.withLock { $0.version == version ? $0.directory : nil }
  }

  var last: OperatorDirectory? { content.withLock { $0.directory } }
  var towns: TownIndex? { content.withLock { $0.towns } }

  func keep(_ directory: OperatorDirectory, _ version: String) {
    content.withLock { ($0.directory, $0.version) = (directory, version) }
  }

  func keep(_ towns: TownIndex) { content.withLock { $0.towns = towns } }
}

extension NamedOperators {
  /// The name and the last part of the address of the operator that a name belongs to; nil if none is listed.
  package func page(named text: String) throws -> (name: String, path: String)? {
    try directory().entry(named: text).map { ($0.name, Self.path($0.key)) }
  }

  /// The last parts of the addresses of the operators that search engines may list: organisations, and names with
  /// several devices. A single device under a name of unknown kind is more often the camera of a person.
  package func pathsForSearchEngines() throws -> [String] {
    try directory().entries.filter { $0.kind == .public || $0.kind == .company || $0.devices >= 3 }
      .map { Self.path($0.key) }
  }

  /// A key as a part of an address. It has letters, digits and hyphens only.
  private static func path(_ key: String) -> String {
    key.addingPercentEncoding(withAllowedCharacters: .urlPathAllowed) ?? key
  }
}
