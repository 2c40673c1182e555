import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// Brings the features of a file into the database: looks at all of them to learn what they are, then
/// keeps them in portions, and shows them once all are there.
struct CollectionLoad {
  /// What whoever brings it says of it.
  struct Description {
    var id: String
    var title: String
    var description = ""
    var licence: String
    var attribution: String
    var url: String?
    /// The name of the property that `datetime` means.
    var time: String?
    /// The name of the file.
    var file: String
    /// Takes the place of the collection of this id.
    var replaces = false
  }

  /// What became of it.
  struct Outcome {
    var collection: FurtherCollection
    /// How many features were left out, and why.
    var skipped: [SourceFault: Int]
  }

  static let maximumFeatures = 500_000
  static let maximumProperties = 200
  /// Features written in one transaction, so that other writes come between.
  private static let portion = 500

  let database: Database
  let surroundings: Surroundings
  let account: Int64?

  /// Brings a file in.
  ///
  /// - Throws: ``InvalidInput`` naming the field at fault, ``Refusal`` where the id is taken,
  ///   `ImportFailure` where the file breaks off. Nothing is left of it then.
  func load(_ file: any FeatureFile, _ description: Description) throws -> Outcome {
    let survey = try Survey(file)
    let timeProperty = try timeProperty(description, survey)
    let rowid = try begin(description, survey, timeProperty: timeProperty)
    do {
      let extent = try keep(file, survey, in: rowid, timeProperty: timeProperty)
      try finish(rowid, description, survey, extent)
    } catch {
      try? CollectionStore(database: database).remove(rowid)
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
      throw InvalidInput(
        [("time", Message("error.collection.time"))], status: .unprocessableContent)
    }
    return place
  }

  private func begin(
    _ description: Description, _ survey: Survey, timeProperty: Int?
  ) throws -> Int64 {
    try database.write { connection in
      try refuseTaken(description, connection)
      var properties = JSONWriter()
      properties.value(CollectionProperty.json(survey.properties))
      try connection.execute(
        """
        INSERT INTO collection (id, state, title, description, licence, attribution, url, file,
          properties, time_property, account_rowid, created_at)
        VALUES (?, 'loading', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        [
          .text(description.id), .text(description.title), .text(description.description),
          .text(description.licence), .text(description.attribution), SQLValue(description.url),
          .text(description.file), .text(String(decoding: properties.bytes, as: UTF8.self)),
          SQLValue(timeProperty), SQLValue(account), .text(surroundings.now().text),
        ])
      return connection.lastInsertedRowID
    }
  }

  private func refuseTaken(
    _ description: Description, _ connection: borrowing Connection
  ) throws {
    guard !description.replaces else { return }
    let taken = try connection.integer(
      "SELECT 1 FROM collection WHERE id = ? AND state = 'ready'", [.text(description.id)])
    guard taken == nil else {
      throw Refusal(.conflict, "error.collection.taken", type: "collection-taken")
    }
  }

  /// What all features span.
  private struct Extent {
    var box: (west: Double, south: Double, east: Double, north: Double)?
    var starts: String?
    var ends: String?

    mutating func add(_ shape: Geometry) {
      guard let other = shape.bounds else { return }
      guard let box else { return self.box = other }
      self.box = (
        min(box.west, other.west), min(box.south, other.south), max(box.east, other.east),
        max(box.north, other.north)
      )
    }

    mutating func add(time: String) {
      starts = min(starts ?? time, time)
      ends = max(ends ?? time, time)
    }
  }

  private func keep(
    _ file: any FeatureFile, _ survey: Survey, in collection: Int64, timeProperty: Int?
  ) throws -> Extent {
    var extent = Extent()
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
    try connection.execute(
      """
      INSERT INTO collection_feature (collection_rowid, key, geometry, properties)
      VALUES (?, ?, GeomFromWKB(?, 4326), ?)
      """,
      [
        .integer(collection), .text(survey.key(of: feature)),
        SQLValue(feature.geometry?.wellKnownBinary),
        .text(String(decoding: json.bytes, as: UTF8.self)),
      ])
    guard let box = feature.geometry?.bounds else { return }
    try connection.execute(
      """
      INSERT INTO collection_feature_box (rowid, west, east, south, north) VALUES (?, ?, ?, ?, ?)
      """,
      [
        .integer(connection.lastInsertedRowID), .real(box.west), .real(box.east),
        .real(box.south), .real(box.north),
      ])
  }

  /// Shows the new features, and those of the collection whose place they take no more.
  private func finish(
    _ rowid: Int64, _ description: Description, _ survey: Survey, _ extent: Extent
  ) throws {
    try database.write { connection in
      try refuseTaken(description, connection)
      try connection.execute(
        "UPDATE collection SET state = 'gone' WHERE id = ? AND state = 'ready'",
        [.text(description.id)])
      try connection.execute(
        """
        UPDATE collection SET state = 'ready', feature_count = ?, west = ?, south = ?, east = ?,
          north = ?, starts = ?, ends = ? WHERE rowid = ?
        """,
        [
          SQLValue(survey.count), SQLValue(extent.box?.west), SQLValue(extent.box?.south),
          SQLValue(extent.box?.east), SQLValue(extent.box?.north), SQLValue(extent.starts),
          SQLValue(extent.ends), .integer(rowid),
        ])
      try AuditStore(surroundings: surroundings).note(
        "import_collection", target: "collection \(description.id)",
        by: account.map { "\($0)" } ?? "command line", reason: nil, connection)
    }
  }
}

/// What the features of a file are, found by looking at each.
private struct Survey {
  /// Names as the file has them, and the properties they become, in the order of the file.
  private(set) var names: [String] = []
  let properties: [CollectionProperty]
  private(set) var count = 0
  private(set) var skipped: [SourceFault: Int] = [:]
  /// Whether each feature has an id of its own in the file that fits into an address.
  private let hasKeys: Bool

  /// - Throws: ``InvalidInput`` where there is nothing to keep, or more than can be.
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
        tallies[member.key, default: PropertyTally(isLoose: file.isLoose)].add(member.value)
      }
    }
    guard count > 0 else { throw Self.refusal("error.collection.empty", 0) }
    self.names = names
    self.count = count
    self.skipped = skipped
    hasKeys = keys.count == count
    properties = names.map { name in
      CollectionProperty(name: name, kind: tallies[name]?.kind ?? .text)
    }
  }

  /// Whether an id can be one segment of a path on its way through any program: no slash, which
  /// many take for one even when it is escaped, and no dots alone, which they resolve.
  private static func fitsAddress(_ key: String) -> Bool {
    (1...200).contains(key.utf8.count) && key != "." && key != ".."
      && key.unicodeScalars.allSatisfy {
        $0 != "/" && $0 != "\\" && $0.properties.generalCategory != .control
      }
  }

  private static func refusal(_ key: String, _ maximum: Int) -> InvalidInput {
    InvalidInput(
      [("file", Message(key, ["maximum": "\(maximum)"]))], status: .unprocessableContent)
  }

  /// The id of a feature: the file's where each has a fitting one of its own, else the number of
  /// its row.
  func key(of feature: SourceFeature) -> String {
    hasKeys ? feature.key ?? "\(feature.number)" : "\(feature.number)"
  }
}
