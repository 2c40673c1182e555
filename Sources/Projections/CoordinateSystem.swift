private import CPROJ
private import Locking

/// A coordinate system of the register of EPSG or of Esri, whose positions PROJ converts to WGS 84.
///
/// Debian's package `proj-data` has the grids of some national surveys. A conversion from the datum of another country
/// can be some metres off.
package final class CoordinateSystem: Sendable {
  /// Such as `EPSG:25832`.
  package let code: String
  /// Such as “ETRS89 / UTM zone 32N”.
  package let name: String
  private let conversion: Locked<Conversion>

  /// Nil if PROJ does not know the system, or if it has no two coordinates on the Earth.
  ///
  /// - Parameter code: the authority and the code, such as `EPSG:25832`.
  package init?(_ code: String) {
    guard let conversion = Conversion(from: code) else { return nil }
    self.code = code
    name = conversion.name
    self.conversion = Locked(conversion)
  }

  /// The position in degrees; nil outside the area of the system. `x` and `y` are easting and northing, or longitude
  /// and latitude, whatever the order of the system's axes.
  package func degrees(x: Double, y: Double) -> (longitude: Double, latitude: Double)? {
    conversion.withLock { $0.degrees(x: x, y: y) }
  }
}

/// Objects of PROJ, which one thread at a time can use.
private struct Conversion: ~Copyable {
  private let context: OpaquePointer
  private let operation: OpaquePointer
  let name: String
  /// In the unit of the system: less than a metre.
  private let tolerance: Double

  init?(from code: String) {
    guard let context = proj_context_create() else { return nil }
    proj_log_level(context, PJ_LOG_NONE)
    guard let system = proj_create(context, code) else {
      proj_context_destroy(context)
      return nil
    }
    defer { proj_destroy(system) }
    let isFlat = [
      PJ_TYPE_PROJECTED_CRS, PJ_TYPE_GEOGRAPHIC_2D_CRS, PJ_TYPE_GEOGRAPHIC_3D_CRS,
      PJ_TYPE_COMPOUND_CRS,
    ].contains { $0 == proj_get_type(system) }
    guard isFlat, let plain = proj_create_crs_to_crs(context, code, "EPSG:4326", nil) else {
      proj_context_destroy(context)
      return nil
    }
    defer { proj_destroy(plain) }
    guard let operation = proj_normalize_for_visualization(context, plain) else {
      proj_context_destroy(context)
      return nil
    }
    self.context = context
    self.operation = operation
    name = proj_get_name(system).map { String(cString: $0) } ?? code
    let type = proj_get_type(system)
    let isDegrees = type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS
    tolerance = isDegrees ? 1e-5 : 0.5
  }

  deinit {
    proj_destroy(operation)
    proj_context_destroy(context)
  }

  func degrees(x: Double, y: Double) -> (longitude: Double, latitude: Double)? {
    // An infinite time means no time.
    let result = proj_trans(operation, PJ_FWD, proj_coord(x, y, 0, .infinity))
    let found = result.xy
    guard found.x.isFinite, found.y.isFinite else { return nil }
    // Far outside its area a projection gives places on the other side of the Earth.
    let back = proj_trans(operation, PJ_INV, result).xy
    guard abs(back.x - x) < tolerance, abs(back.y - y) < tolerance else { return nil }
    // Below a centimetre a converted position has no meaning.
    return ((found.x * 1e7).rounded() / 1e7, (found.y * 1e7).rounded() / 1e7)
  }
}

extension CoordinateSystem: Equatable {
  package static func == (one: CoordinateSystem, other: CoordinateSystem) -> Bool {
    one.code == other.code
  }
}

/// Systems that values of a list name, made once each.
package final class CoordinateSystems: Sendable {
  private let known = Locked<[String: CoordinateSystem?]>([:])
  /// A list has one, or some zones of UTM; more are a mistake or an attack.
  private static let maximum = 128

  package init() {}

  /// Nil for a system that is not known, and after the first few of a list.
  package func system(_ code: String) -> CoordinateSystem? {
    known.withLock { known in
      if let found = known[code] { return found }
      guard known.count < Self.maximum else { return nil }
      let made = CoordinateSystem(code)
      known[code] = .some(made)
      return made
    }
  }
}
