import JSON
import PrivacyMap
import Reference
import Service

extension WatchArea {
  /// The codes of the kinds of areas.
  enum Kind: String, CaseIterable {
    case box, circle, polygon, place, country, device
    case `operator`, queue
  }

  /// The members of the JSON of an area.
  static let members: Set<String> = [
    "type", "bbox", "center", "radius", "coordinates", "place", "name", "country", "device",
    "operator",
  ]

  static let schema = JSONSchema.object([
    ("type", .oneOf(Kind.self)), ("bbox", .box.optional),
    ("center", JSONSchema.list(of: .number).with("minItems", 2).with("maxItems", 2).optional),
    ("radius", JSONSchema.number.with("minimum", 50).with("maximum", 1_000_000).optional),
    ("coordinates", JSONSchema.list(of: .list(of: .list(of: .number))).optional),
    ("place", JSONSchema.text.optional), ("name", JSONSchema.text.optional),
    ("country", JSONSchema.text.optional), ("device", JSONSchema.uuid.optional),
    ("operator", JSONSchema.text(1...200).optional),
  ])

  /// The JSON of the interface, which is also the stored form.
  var json: JSONValue {
    switch self {
    case .box(let box): ["type": "box", "bbox": Self.json(box)]
    case .circle(let centre, let radius):
      ["type": "circle", "center": Self.json(centre), "radius": .double(radius)]
    case .polygon(let corners):
      [
        "type": "polygon",
        "coordinates": [.array((corners + corners.prefix(1)).map(Self.json))],
      ]
    case .place(let id, let name, let box):
      ["type": "place", "place": .string(id), "name": .string(name), "bbox": Self.json(box)]
    case .country(let code): ["type": "country", "country": .string(code)]
    case .device(let id): ["type": "device", "device": .string(id.text)]
    case .operator(let name): ["type": "operator", "operator": .string(name)]
    case .queue: ["type": "queue"]
    }
  }

  private static func json(_ box: BoundingBox) -> JSONValue {
    .array([box.west, box.south, box.east, box.north].map { .double($0) })
  }

  private static func json(_ point: Coordinate) -> JSONValue {
    .array([.double(point.longitude), .double(point.latitude)])
  }

  /// A stored area; nil if it cannot be read.
  init?(stored: JSONValue) {
    var reading = WatchAreaReading(places: nil)
    guard let object = stored.objectValue,
      var body = try? RequestBody(object, Self.members, prefix: ""),
      let area = reading.area(&body, isStored: true), (try? body.check()) != nil
    else { return nil }
    self = area
  }
}

/// Reads the area of a watch from JSON.
struct WatchAreaReading {
  let places: PlaceStore?

  /// Reads an area; adds an error to `body` and returns nil if it is not one. The box of a stored place is read
  /// instead of looked up.
  mutating func area(_ body: inout RequestBody, isStored: Bool = false) -> WatchArea? {
    guard let kind: WatchArea.Kind = body.oneOf("type", isRequired: true) else { return nil }
    switch kind {
    case .box: return box(&body).map { .box($0) }
    case .circle: return circle(&body)
    case .polygon: return polygon(&body)
    case .place: return isStored ? storedPlace(&body) : place(&body)
    case .country: return country(&body)
    case .device: return device(&body)
    case .operator: return body.text("operator", 1...200, isRequired: true).map { .operator($0) }
    case .queue: return .queue
    }
  }

  private func box(_ body: inout RequestBody) -> BoundingBox? {
    guard let numbers = numbers("bbox", 4, &body) else { return nil }
    do throws(InvalidLocation) {
      return try BoundingBox(
        west: numbers[0], south: numbers[1], east: numbers[2], north: numbers[3])
    } catch {
      body.refuse("bbox", error.message)
      return nil
    }
  }

  private func circle(_ body: inout RequestBody) -> WatchArea? {
    let radius = body.number("radius", WatchArea.radii, isRequired: true)
    guard let numbers = numbers("center", 2, &body), let radius else { return nil }
    do throws(InvalidLocation) {
      let centre = try Coordinate(longitude: numbers[0], latitude: numbers[1])
      return .circle(centre: centre, radius: radius)
    } catch {
      body.refuse("center", error.message)
      return nil
    }
  }

  /// The coordinates of a GeoJSON polygon (RFC 7946 §3.1.6).
  func polygon(_ body: inout RequestBody) -> WatchArea? {
    let name = "coordinates"
    guard let rings = body.value(name)?.arrayValue, let ring = rings.first?.arrayValue else {
      body.fault(name, Message("error.watch.polygon"))
      return nil
    }
    func refuse(_ key: String, _ values: [String: String] = [:]) -> WatchArea? {
      body.refuse(name, Message(key, values))
      return nil
    }
    guard rings.count == 1 else { return refuse("error.watch.holes") }
    // The last position repeats the first.
    guard ring.count <= WatchArea.maxCorners + 1 else {
      return refuse(
        "error.watch.corners",
        ["maximum": "\(WatchArea.maxCorners)", "count": "\(ring.count - 1)"])
    }
    var corners: [Coordinate] = []
    for position in ring {
      let numbers = position.arrayValue?.compactMap(\.numberValue) ?? []
      guard numbers.count >= 2, numbers.count == position.arrayValue?.count else {
        return refuse("error.watch.polygon")
      }
      do throws(InvalidLocation) {
        corners.append(try Coordinate(longitude: numbers[0], latitude: numbers[1]))
      } catch {
        body.refuse(name, error.message)
        return nil
      }
    }
    guard corners.count >= 4, corners.first == corners.last else {
      return refuse("error.watch.open_ring")
    }
    corners.removeLast()
    do throws(Ring.Fault) { try Ring.check(corners) } catch {
      return refuse(error.key)
    }
    return .polygon(corners)
  }

  private func place(_ body: inout RequestBody) -> WatchArea? {
    guard let text = body.text("place", 1...20, isRequired: true) else { return nil }
    guard let number = Int64(text), let place = try? places?.place(id: number) else {
      body.refuse("place", Message("error.unknown_place"))
      return nil
    }
    return .place(id: text, name: place.name, box: place.box)
  }

  private func storedPlace(_ body: inout RequestBody) -> WatchArea? {
    guard let box = box(&body), let id = body.value("place")?.stringValue,
      let name = body.value("name")?.stringValue
    else { return nil }
    return .place(id: id, name: name, box: box)
  }

  private func country(_ body: inout RequestBody) -> WatchArea? {
    guard let code = body.text("country", 1...10, isRequired: true) else { return nil }
    guard code.utf8.count == 2, code.utf8.allSatisfy({ (65...90).contains($0) }) else {
      body.refuse("country", Message("error.unknown_code", ["value": code]))
      return nil
    }
    return .country(code)
  }

  private func device(_ body: inout RequestBody) -> WatchArea? {
    guard let text = body.text("device", 1...40, isRequired: true) else { return nil }
    guard let id = DeviceID(text: text) else {
      body.refuse("device", Message("error.not_found.device"))
      return nil
    }
    return .device(id)
  }

  private func numbers(_ name: String, _ count: Int, _ body: inout RequestBody) -> [Double]? {
    let items = body.value(name)?.arrayValue ?? []
    let numbers = items.compactMap(\.numberValue)
    guard numbers.count == items.count else {
      body.fault(name, Message("error.type.numbers"))
      return nil
    }
    guard numbers.count == count else {
      body.fault(
        name, Message("error.number_count", ["count": "\(items.count)", "expected": "\(count)"]))
      return nil
    }
    return numbers
  }
}

extension Ring.Fault {
  /// The key of the sentence in the catalogue.
  fileprivate var key: String {
    switch self {
    case .tooFewCorners: "error.watch.open_ring"
    case .repeated: "error.watch.repeated_corner"
    case .crossesItself: "error.watch.crosses_itself"
    case .crossesAntimeridian: "error.watch.antimeridian"
    case .touchesPole: "error.watch.pole"
    }
  }
}
