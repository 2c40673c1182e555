/// The street that the tags of an OpenStreetMap way describe (wiki.openstreetmap.org/wiki/OSM_tags_for_routing).
///
/// Where a tag is missing, the usual access of the kind of street holds, as in the profiles of OSRM and Valhalla.
struct StreetTags {
  private let tags: [String: String]

  init(_ tags: [String: String]) { self.tags = tags }

  /// The keys of ways that are streets.
  static let wayKeys = ["highway"]
  /// The keys of nodes that can close a street.
  static let nodeKeys = ["barrier", "kerb"]
  /// The keys whose values matter.
  static let keptKeys = [
    "highway", "access", "foot", "wheelchair", "vehicle", "bicycle", "motor_vehicle", "motorcar",
    "motorroad", "oneway", "oneway:bicycle", "oneway:foot", "oneway:motor_vehicle", "junction",
    "cycleway", "cycleway:left", "cycleway:right", "cycleway:both", "surface", "smoothness",
    "incline", "sac_scale", "kerb", "width", "ramp:wheelchair", "ramp:bicycle", "footway", "path",
    "maxspeed", "level", "layer", "tunnel", "bridge", "name", "ref", "barrier",
  ]

  /// The street; nil if it is closed to all, does not exist yet, or no longer exists.
  var street: Street? {
    guard let highway = tags["highway"], let usual = StreetKind.usual(highway) else { return nil }
    var directions = Directions()
    if let ways = walking(usual) {
      directions.walking = ways
      if isSmooth(highway) { directions.wheelchair = ways }
    }
    if mayCycle(usual) { directions.cycling = cyclingWays }
    if mayDrive(usual) { directions.driving = drivingWays }
    guard directions.bits != 0 else { return nil }
    var flags = directions.bits | UInt16(usual.kind.rawValue) << 8
    if isYes("tunnel") { flags |= Street.tunnel }
    if isYes("bridge") { flags |= Street.bridge }
    if isRoundabout { flags |= Street.roundabout }
    if ["footway", "path", "cycleway"].contains(where: { tags[$0] == "crossing" }) {
      flags |= Street.crossing
    }
    return Street(
      flags: flags, speed: speed(usual), level: level,
      name: Self.shortened(tags["name"] ?? tags["ref"] ?? ""))
  }

  /// The modes that a node closes, as bits of both directions.
  var closedModes: UInt16 {
    var closed = Directions()
    let barrier = tags["barrier"] ?? "no"
    let foot = access(["foot", "access"])
    if foot == false { (closed.walking, closed.wheelchair) = (.both, .both) }
    if Self.closedForWheelchairs.contains(barrier) || tags["kerb"] == "raised"
      || tags["wheelchair"] == "no"
    {
      closed.wheelchair = .both
    }
    if tags["wheelchair"] == "yes", foot != false { closed.wheelchair = .none }
    let bicycle = access(["bicycle", "vehicle", "access"])
    if bicycle == false || (bicycle == nil && Self.closedForBicycles.contains(barrier)) {
      closed.cycling = .both
    }
    let car = access(["motorcar", "motor_vehicle", "vehicle", "access"])
    if car == false || (car == nil && barrier != "no" && !Self.openForCars.contains(barrier)) {
      closed.driving = .both
    }
    return closed.bits
  }

  private static let closedForWheelchairs: Set = [
    "stile", "turnstile", "full-height_turnstile", "kissing_gate", "cycle_barrier", "horse_stile",
    "motorcycle_barrier", "log", "debris", "step",
  ]
  private static let closedForBicycles: Set = [
    "stile", "turnstile", "full-height_turnstile", "kissing_gate", "horse_stile", "log", "debris",
  ]
  /// As in the profile of OSRM.
  private static let openForCars: Set = [
    "cattle_grid", "border_control", "toll_booth", "sally_port", "gate", "lift_gate", "entrance",
    "height_restrictor", "arch", "kerb", "swing_gate", "coupure",
  ]

  // Access

  /// Whether the first tag that states access permits it; nil if none does.
  private func access(_ keys: [String]) -> Bool? {
    for key in keys {
      guard let value = tags[key] else { continue }
      switch value {
      case "no", "private", "agricultural", "forestry", "delivery", "use_sidepath", "emergency",
        "psv", "bus", "military", "restricted":
        return false
      case "yes", "designated", "official", "permissive", "destination", "customers", "permit",
        "public", "dismount", "residents", "limited":
        return true
      default: continue
      }
    }
    return nil
  }

  private func walking(_ usual: StreetKind.Usual) -> Ways? {
    let isClosed = isYes("motorroad") && tags["foot"] == nil
    guard access(["foot", "access"]) ?? (usual.walking && !isClosed) else { return nil }
    return ways(tags["oneway:foot"]) ?? .both
  }

  private func mayCycle(_ usual: StreetKind.Usual) -> Bool {
    if usual.kind == .steps { return isYes("ramp:bicycle") || tags["bicycle"] == "yes" }
    if isYes("motorroad"), tags["bicycle"] == nil { return false }
    // A footway without a word about bicycles is not for them, although `access=yes` holds there.
    guard usual.cycling else { return access(["bicycle"]) ?? false }
    return access(["bicycle", "vehicle", "access"]) ?? true
  }

  private func mayDrive(_ usual: StreetKind.Usual) -> Bool {
    guard usual.driving, tags["oneway"] != "reversible" else {
      return access(["motorcar", "motor_vehicle"]) == true && usual.canDrive
    }
    return access(["motorcar", "motor_vehicle", "vehicle", "access"]) ?? true
  }

  // Directions

  private func ways(_ value: String?) -> Ways? {
    switch value {
    case "yes", "1", "true": .forward
    case "-1", "reverse": .backward
    case "no", "0", "false": .both
    default: nil
    }
  }

  private var isRoundabout: Bool {
    tags["junction"] == "roundabout" || tags["junction"] == "circular"
  }

  private var drivingWays: Ways {
    if let ways = ways(tags["oneway:motor_vehicle"]) ?? ways(tags["oneway"]) { return ways }
    let isOneWay = isRoundabout || ["motorway", "motorway_link"].contains(tags["highway"])
    return isOneWay ? .forward : .both
  }

  private var cyclingWays: Ways {
    if let ways = ways(tags["oneway:bicycle"]) { return ways }
    let lanes = ["cycleway", "cycleway:left", "cycleway:right", "cycleway:both"]
    if lanes.contains(where: { tags[$0]?.hasPrefix("opposite") == true }) { return .both }
    return ways(tags["oneway"]) ?? (isRoundabout ? .forward : .both)
  }

  // Surfaces

  /// Whether a wheelchair can be used where walking is allowed. The limits come from DIN 18040-3: 6 to 8 % of incline,
  /// 0.9 m of width, kerbs of 3 cm.
  private func isSmooth(_ highway: String) -> Bool {
    switch tags["wheelchair"] {
    case "yes", "designated", "limited": return true
    case "no": return false
    default: break
    }
    if highway == "steps" { return isYes("ramp:wheelchair") }
    if let surface = tags["surface"], Self.roughSurfaces.contains(surface) { return false }
    if let smoothness = tags["smoothness"], Self.roughness.contains(smoothness) { return false }
    if let scale = tags["sac_scale"], scale != "strolling" { return false }
    if tags["kerb"] == "raised" { return false }
    if let width = tags["width"].flatMap(Double.init), width < 0.9 { return false }
    if let incline = tags["incline"], incline.hasSuffix("%"),
      let percent = Double(incline.dropLast().filter { $0 != " " }), abs(percent) > 8
    {
      return false
    }
    guard ["path", "track", "bridleway"].contains(highway) else { return true }
    return tags["surface"].map { Self.evenSurfaces.contains($0) } ?? false
  }

  private static let roughSurfaces: Set = [
    "cobblestone", "unhewn_cobblestone", "gravel", "pebblestone", "ground", "dirt", "earth",
    "grass", "mud", "sand", "unpaved", "rock", "rocks", "woodchips", "grass_paver", "snow", "ice",
    "stepping_stones",
  ]
  private static let roughness: Set = [
    "bad", "very_bad", "horrible", "very_horrible", "impassable",
  ]
  private static let evenSurfaces: Set = [
    "paved", "asphalt", "concrete", "concrete:plates", "paving_stones", "compacted",
    "fine_gravel", "wood", "metal", "chipseal", "bricks", "tartan", "rubber",
  ]

  // Figures

  /// Kilometres an hour.
  private func speed(_ usual: StreetKind.Usual) -> UInt8 {
    guard let text = tags["maxspeed"] else { return usual.speed }
    switch text {
    case "walk": return 7
    case "none": return 130
    default: break
    }
    let number = text.prefix { $0.isNumber && $0.isASCII }
    guard let value = Double(number), value >= 1 else {
      if text.hasSuffix(":urban") { return 50 }
      return usual.speed
    }
    let kilometres = text.hasSuffix("mph") ? value * 1.609_344 : value
    return UInt8(min(kilometres.rounded(), 200))
  }

  /// The floor of a building, or the layer of a bridge or tunnel.
  private var level: Int8 {
    let text = tags["level"] ?? tags["layer"] ?? ""
    let first = text.prefix { $0 != ";" && $0 != "," }
    guard let number = Double(first), number.isFinite else { return 0 }
    return Int8(max(-99, min(99, number.rounded())))
  }

  private func isYes(_ key: String) -> Bool { tags[key].map { $0 != "no" && $0 != "0" } ?? false }

  /// At most as many bytes as a reader accepts.
  private static func shortened(_ name: String) -> String {
    guard name.utf8.count > GraphLimits.nameBytes else { return name }
    var short = ""
    for character in name {
      if short.utf8.count + character.utf8.count > GraphLimits.nameBytes { break }
      short.append(character)
    }
    return short
  }
}

/// The properties of a street, without its place.
struct Street: Hashable {
  /// Modes and their directions, the kind, and the bits below (docs/reference/street-graph.md).
  var flags: UInt16
  /// Kilometres an hour of motor vehicles.
  var speed: UInt8
  var level: Int8
  var name: String

  static let tunnel: UInt16 = 1 << 12
  static let bridge: UInt16 = 1 << 13
  static let roundabout: UInt16 = 1 << 14
  static let crossing: UInt16 = 1 << 15

  /// The flags of the same street from its other end.
  static func turned(_ flags: UInt16) -> UInt16 {
    (flags & 0xFF00) | (flags & 0x55) << 1 | (flags & 0xAA) >> 1
  }
}

/// The directions in which a street can be used.
enum Ways: UInt16 {
  case none = 0
  case forward = 1
  case backward = 2
  case both = 3
}

/// The directions of each mode.
struct Directions {
  var walking = Ways.none
  var wheelchair = Ways.none
  var cycling = Ways.none
  var driving = Ways.none

  var bits: UInt16 {
    walking.rawValue | wheelchair.rawValue << 2 | cycling.rawValue << 4 | driving.rawValue << 6
  }
}

/// The kinds of streets, by their numbers in the file.
enum StreetKind: UInt8 {
  case other, footway, path, steps, cycleway, pedestrian, track, service, livingStreet
  case residential, unclassified, tertiary, secondary, primary, trunk, motorway

  /// The properties of a kind if no tag states others.
  struct Usual {
    var kind: StreetKind
    var walking = true
    var cycling = true
    var driving = true
    /// Whether a tag can permit motor vehicles.
    var canDrive = true
    /// Kilometres an hour.
    var speed: UInt8
  }

  /// Nil for values of `highway` that do not mean a street, such as `construction`.
  static func usual(_ highway: String) -> Usual? {
    let name = highway.hasSuffix("_link") ? String(highway.dropLast(5)) : highway
    switch name {
    case "motorway": return Usual(kind: .motorway, walking: false, cycling: false, speed: 110)
    case "trunk": return Usual(kind: .trunk, walking: false, speed: 90)
    case "primary": return Usual(kind: .primary, speed: 60)
    case "secondary": return Usual(kind: .secondary, speed: 50)
    case "tertiary": return Usual(kind: .tertiary, speed: 50)
    case "unclassified", "road": return Usual(kind: .unclassified, speed: 40)
    case "residential": return Usual(kind: .residential, speed: 30)
    case "living_street": return Usual(kind: .livingStreet, speed: 10)
    case "service": return Usual(kind: .service, speed: 15)
    case "track": return Usual(kind: .track, driving: false, speed: 15)
    case "pedestrian":
      return Usual(kind: .pedestrian, cycling: false, driving: false, speed: 7)
    case "cycleway": return Usual(kind: .cycleway, driving: false, canDrive: false, speed: 7)
    case "path": return Usual(kind: .path, driving: false, canDrive: false, speed: 7)
    case "footway", "corridor", "platform", "sidewalk":
      return Usual(kind: .footway, cycling: false, driving: false, canDrive: false, speed: 7)
    case "bridleway":
      return Usual(kind: .path, cycling: false, driving: false, canDrive: false, speed: 7)
    case "steps":
      return Usual(kind: .steps, cycling: false, driving: false, canDrive: false, speed: 7)
    case "elevator":
      return Usual(kind: .other, cycling: false, driving: false, canDrive: false, speed: 7)
    default: return nil
    }
  }
}

/// The limits of readers (docs/reference/street-graph.md).
package enum GraphLimits {
  /// Bytes of a piece, not compressed.
  package static let bytes = 32 << 20
  package static let nodes = 1 << 20
  package static let edges = 1 << 21
  package static let nameBytes = 1_000
  /// Decimetres of an edge.
  static let length = 1 << 24
  /// The number of nodes of a file.
  static let ranks = 1 << 30
}
