import Foundation
package import PrivacyMap
package import Reference
package import Service
package import SpatialDatabase

/// The displayed names of devices.
///
/// Many lists name a device only by its category, such as "Camera". Such a name is shown in the language of the reader,
/// with the nearest town: "Fixed camera near Lindenhof". Every other name is shown as it is.
///
/// `public/js/devices/name.js` has the same rules for pages; the examples in `Tests/Front/device-names.json` apply to
/// both.
package struct DeviceNames: Sendable {
  /// The facts of a device on which its displayed name depends.
  package struct Facts: Sendable {
    let name, category: String
    let manufacturer, operatorName: String?
    let position: Coordinate

    package init(
      name: String, category: String, manufacturer: String?, operatorName: String?,
      position: Coordinate
    ) {
      (self.name, self.category, self.position) = (name, category, position)
      (self.manufacturer, self.operatorName) = (manufacturer, operatorName)
    }
  }

  /// The parts of a name that repeats the category: "Axis camera 12, Market Street".
  private struct Parts {
    var maker: String?
    /// The key of the words of an import, which are more precise than the category.
    var phrase: String?
    /// Such as "12".
    var reference: String?
    var rest: String?
  }

  /// Metres: farther away, a device is not near a town.
  static let near: Int64 = 10_000
  /// Words with which the mappings of imports begin names, by category, with the keys of their translations.
  private static let phrases = [
    "parking_mobility": [
      "bicycle counter": "name.made.bicycle_counter",
      "traffic counter in a window": "name.made.window_counter",
    ], "wifi_hotspot": ["linknyc kiosk": "name.made.linknyc_kiosk"],
  ]
  /// The end of the names of Wi-Fi networks, which mappings add.
  private static let network = " Wi-Fi"

  let catalogue: Catalogue
  let places: PlaceStore?

  /// `catalogue` may have further languages, such as the languages of letters.
  package init(catalogue: Catalogue, places: PlaceStore?) {
    (self.catalogue, self.places) = (catalogue, places)
  }

  /// The displayed name of a device. `label` is the category's name in a language that the taxonomies lack.
  package func shown(
    _ device: Facts, in language: String, label: String? = nil, _ connection: borrowing Connection
  ) throws -> String {
    let names = try TaxonomyStore().names(of: device.category, in: language, connection)
    // A device called "Alexa" or "CCTV" keeps its name: only common nouns are names of a category.
    let words = [names.label] + names.all.filter(Self.isCommonNoun)
    guard let parts = Self.parts(of: device, words, isTranslated: language != "en") else {
      return device.name
    }
    let kind = parts.phrase.map { text($0, [:], language) } ?? label ?? names.label
    let base = [self.kind(kind, of: parts.maker, language), parts.reference].compactMap { $0 }
      .joined(separator: " ")
    if let rest = parts.rest { return "\(base), \(rest)" }
    let found = try places?.nearestPlaces(to: [device.position], language: language).first
    guard let town = found ?? nil, town.distance <= Self.near else { return base }
    return text("name.near", ["name": base, "place": town.place.name], language)
  }

  /// The displayed name of a stored device, even of a hidden one; nil if no device has this id.
  package func shown(
    of id: String, in language: String, _ connection: borrowing Connection
  ) throws -> String? {
    let facts = try connection.first(
      """
      SELECT device.name, device.category, device.manufacturer, operator.name, device.longitude,
        device.latitude
      FROM device LEFT JOIN operator ON operator.rowid = device.operator_rowid WHERE device.id = ?
      """, [.text(id)]
    ) { row in
      Facts(
        name: row.text(0), category: row.text(1), manufacturer: row.optionalText(2),
        operatorName: row.optionalText(3),
        position: .clamped(longitude: row.double(4), latitude: row.double(5)))
    }
    return try facts.map { try shown($0, in: language, connection) }
  }

  /// "Axis number-plate reader"; in Portuguese, the maker comes last.
  private func kind(_ kind: String, of maker: String?, _ language: String) -> String {
    guard let maker else { return kind }
    let inside = kind.prefix(1).lowercased() + kind.dropFirst()
    let whole = text("name.by_maker", ["maker": maker, "kind": inside], language)
    return whole.hasPrefix(inside) ? kind + whole.dropFirst(inside.count) : whole
  }

  private func text(_ key: String, _ values: [String: String], _ language: String) -> String {
    catalogue.text(Message(key, values), in: language)
  }

  /// Imports write English. So a name with a reference or a network is only translated: in English, a contributor may
  /// have chosen it.
  private static func parts(of device: Facts, _ words: [String], isTranslated: Bool) -> Parts? {
    let (head, rest) =
      device.name.firstRange(of: ", ").map {
        (String(device.name[..<$0.lowerBound]), String(device.name[$0.upperBound...]))
      } ?? (device.name, "")
    guard
      var parts = parts(of: head, device, words)
        ?? (isTranslated ? translated(head, device, words) : nil)
    else { return nil }
    parts.rest = rest.isEmpty || rest == device.operatorName ? nil : rest
    return parts
  }

  /// "Camera", "Axis camera" and "Bicycle counter".
  private static func parts(of head: String, _ device: Facts, _ words: [String]) -> Parts? {
    let name = folded(head)
    if let phrase = phrases[device.category]?[name] { return Parts(phrase: phrase) }
    let trimmed = device.manufacturer?.trimmingCharacters(in: .whitespacesAndNewlines)
    let maker = trimmed == "" ? nil : trimmed
    for word in words {
      if name == folded(word) { return Parts() }
      if let maker, name == folded("\(maker) \(word)") { return Parts(maker: maker) }
    }
    return nil
  }

  /// "Measuring station 12" and "GuestWiFi Wi-Fi".
  private static func translated(_ head: String, _ device: Facts, _ words: [String]) -> Parts? {
    if let space = head.lastIndex(of: " "), head[space...].dropFirst().allSatisfy(isOfReference),
      head[space...].contains(where: \.isNumber),
      var parts = parts(of: String(head[..<space]), device, words)
    {
      parts.reference = String(head[space...].dropFirst())
      return parts
    }
    guard device.category == "wifi_hotspot", head.hasSuffix(network), head.count > network.count
    else { return nil }
    return Parts(maker: String(head.dropLast(network.count)), phrase: "name.made.wifi")
  }

  private static func isOfReference(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || "./-".contains(character)
  }

  /// Whether a word of the name begins in lower case.
  private static func isCommonNoun(_ name: String) -> Bool {
    name.split { $0.isWhitespace || $0 == "-" }.contains { $0.first?.isLowercase == true }
  }

  /// Without case, accents and space around the text.
  private static func folded(_ text: String) -> String {
    let plain = text.decomposedStringWithCompatibilityMapping.unicodeScalars.filter {
      ![.nonspacingMark, .spacingMark, .enclosingMark].contains($0.properties.generalCategory)
    }
    return String(String.UnicodeScalarView(plain)).lowercased()
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }
}

extension DeviceNames: InstancePart {
  package init(_ instance: Instance) throws {
    self.init(catalogue: instance.catalogue, places: try instance.places)
  }
}
