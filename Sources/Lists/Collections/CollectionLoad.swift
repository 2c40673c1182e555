import JSON
import PrivacyMap
import Reading
import Service
import SpatialDatabase
import WebServer

/// Imports the features of a file. It first surveys all of them to determine their types, then stores
/// them in portions, and publishes them once all are stored.
struct CollectionLoad {
  typealias Description = CollectionImportStore.Description

  /// The result of an import.
  struct Outcome {
    var collection: FurtherCollection
    /// The number of skipped features by reason.
    var skipped: [SourceFault: Int]
  }

  static let maximumFeatures = 500_000
  static let maximumProperties = 200
  /// Features per transaction, so that other writes run in between.
  private static let portion = 500

  let database: Database
  let environment: Environment
  let account: Int64?
  private var store: CollectionImportStore { CollectionImportStore() }

  /// Imports a file.
  ///
  /// - Throws: ``InvalidInput`` with the invalid field, ``Refusal`` if the id is in use, `ImportFailure` if the file is
  ///   incomplete. In these cases nothing is stored.
  func load(_ file: any FeatureFile, _ description: Description) throws -> Outcome {
    let survey = try Survey(file)
    let timeProperty = try timeProperty(description, survey)
    let rowid = try begin(description, survey, timeProperty: timeProperty)
    do {
      let extent = try keep(file, survey, in: rowid, timeProperty: timeProperty)
      try finish(rowid, description, survey, extent)
    } catch {
      // After another server has taken over, its sweep does this.
      WriteCondition.regardlessOfCaller {
        try? CollectionRemoval(database: database).remove(rowid)
      }
      throw error
    }
    let collection = try database.read { try FurtherCollection.named(description.id, $0) }
    return Outcome(collection: collection, skipped: survey.skipped)
  }

  private func timeProperty(_ description: Description, _ survey: Survey) throws -> Int? {
    guard let name = description.time else { return nil }
    guard let place = survey.properties.firstIndex(where: { $0.name == name }),
      [.date, .timestamp].contains(survey.properties[place].kind)
    else {
      throw InvalidInput.refused("time", "error.collection.time")
    }
    return place
  }

  private func begin(
    _ description: Description, _ survey: Survey, timeProperty: Int?
  ) throws -> Int64 {
    try database.write { connection in
      try refuseTaken(description, connection)
      return try store.add(
        description, properties: CollectionProperty.json(survey.properties).text,
        timeProperty: timeProperty, by: account, at: environment.now(), connection)
    }
  }

  private func refuseTaken(
    _ description: Description, _ connection: borrowing Connection
  ) throws {
    guard try description.replaces || !store.has(description.id, connection) else {
      throw Refusal(.conflict, "error.collection.taken", type: "collection-taken")
    }
  }

  private func keep(
    _ file: any FeatureFile, _ survey: Survey, in collection: Int64, timeProperty: Int?
  ) throws -> CollectionImportStore.Extent {
    var extent = CollectionImportStore.Extent()
    var portion: [SourceFeature] = []
    func write() throws {
      try database.write { connection in
        for feature in portion { try insert(feature, survey, in: collection, connection) }
      }
      portion.removeAll(keepingCapacity: true)
    }
    try file.forEachFeature { feature in
      guard feature.fault == nil else { return }
      if let shape = feature.geometry { extent.add(shape) }
      if let timeProperty,
        let value = feature.properties[survey.names[timeProperty]],
        case .string(let time) = survey.properties[timeProperty].kind.stored(value)
      {
        extent.add(time: time)
      }
      portion.append(feature)
      if portion.count == Self.portion { try write() }
    }
    try write()
    return extent
  }

  private func insert(
    _ feature: SourceFeature, _ survey: Survey, in collection: Int64,
    _ connection: borrowing Connection
  ) throws {
    var json = JSONWriter()
    json.beginObject()
    for (place, property) in survey.properties.enumerated() {
      let value = property.kind.stored(feature.properties[survey.names[place]] ?? .null)
      if value.isNull { continue }
      json.key("\(place)")
      json.value(value)
    }
    json.endObject()
    try store.add(
      feature.geometry, key: survey.key(of: feature),
      properties: String(decoding: json.bytes, as: UTF8.self), to: collection, connection)
  }

  /// Publishes the new features and hides the features of the replaced collection.
  private func finish(
    _ rowid: Int64, _ description: Description, _ survey: Survey,
    _ extent: CollectionImportStore.Extent
  ) throws {
    try database.write { connection in
      try refuseTaken(description, connection)
      try store.publish(
        rowid, as: description.id, features: survey.count, extent, connection)
      try PublicChanges.note(connection, at: environment.now())
      try AuditStore(environment: environment).note(
        "import_collection", target: "collection \(description.id)",
        by: account.map { "\($0)" } ?? AuditStore.commandLine, reason: nil, connection)
    }
  }
}

/// The properties, ids and number of a file's features, determined by reading all of them.
private struct Survey {
  /// Names in the file and the properties for them, in the order of the file.
  private(set) var names: [String] = []
  let properties: [CollectionProperty]
  private(set) var count = 0
  private(set) var skipped: [SourceFault: Int] = [:]
  /// Whether each feature has a unique id in the file that is usable in a URL.
  private let hasKeys: Bool

  /// - Throws: ``InvalidInput`` if there are no features, or too many.
  init(_ file: any FeatureFile) throws {
    var tallies: [String: PropertyTally] = [:]
    var keys: Set<String> = []
    var names: [String] = []
    var count = 0
    var skipped: [SourceFault: Int] = [:]
    try file.forEachFeature { feature in
      if let fault = feature.fault {
        skipped[fault, default: 0] += 1
        return
      }
      count += 1
      guard count <= CollectionLoad.maximumFeatures else {
        throw Self.refusal("error.collection.too_many", CollectionLoad.maximumFeatures)
      }
      if let key = feature.key, Self.fitsAddress(key) { keys.insert(key) }
      for member in feature.properties.members {
        if tallies[member.key] == nil {
          names.append(member.key)
          guard names.count <= CollectionLoad.maximumProperties else {
            throw Self.refusal(
              "error.collection.too_many_properties", CollectionLoad.maximumProperties)
          }
        }
        let fresh = PropertyTally(isLoose: file.isLoose, declared: file.kinds[member.key])
        tallies[member.key, default: fresh].add(member.value)
      }
    }
    guard count > 0 else { throw Self.refusal("error.collection.empty", 0) }
    self.names = names
    self.count = count
    self.skipped = skipped
    hasKeys = keys.count == count
    properties = names.map { name in
      tallies[name]?.property(named: name) ?? CollectionProperty(name: name, kind: .text)
    }
  }

  /// Whether an id is safe as a path segment in all clients and proxies: no slash, because many decode
  /// an escaped one, and not only dots, because they resolve them.
  private static func fitsAddress(_ key: String) -> Bool {
    (1...200).contains(key.utf8.count) && key != "." && key != ".."
      && key.unicodeScalars.allSatisfy {
        $0 != "/" && $0 != "\\" && $0.properties.generalCategory != .control
      }
  }

  private static func refusal(_ key: String, _ maximum: Int) -> InvalidInput {
    InvalidInput.refused("file", key, ["maximum": "\(maximum)"])
  }

  /// The id of a feature: the one of the file if every feature has a usable one, otherwise the number
  /// of its row.
  func key(of feature: SourceFeature) -> String {
    hasKeys ? feature.key ?? "\(feature.number)" : "\(feature.number)"
  }
}
