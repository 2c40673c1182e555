import JSON
import PrivacyMap
internal import Projections
import WrittenValues

/// The position of a device.
extension DeviceDraft {
  typealias Place = (coordinate: Coordinate, isApproximate: Bool)

  /// - Throws: ``RowRefused`` if the row has no usable coordinates.
  mutating func place() throws(RowRefused) -> Place {
    columns.isLocating = true
    defer { columns.isLocating = false }
    if let place = try columnPlace() { return place }
    if let place = try valuePlace() { return place }
    switch row.place {
    case .point(let longitude, let latitude):
      return (try checked(longitude: longitude, latitude: latitude), false)
    case .pointOnShape(let longitude, let latitude):
      return (try checked(longitude: longitude, latitude: latitude), true)
    case .unusable(let fault): throw RowRefused(code: fault.code, detail: fault.detail)
    case .none: throw RowRefused(code: "no_coordinates", detail: "The row has no coordinates.")
    }
  }

  /// The position for conditions on it, which can come before the position itself is read; nil if the
  /// row has no usable coordinates.
  var position: Coordinate? {
    // A rule of the coordinates cannot depend on them.
    guard !columns.isLocating else { return nil }
    if let known = columns.position { return known }
    var draft = self
    do throws(RowRefused) {
      let found = try draft.place().coordinate
      columns.position = found
      return found
    } catch { return nil }
  }

  /// The position of two columns.
  private mutating func columnPlace() throws(RowRefused) -> Place? {
    guard mapper.mapping.fields[.longitude] != nil else { return nil }
    let longitude = try number(.longitude)
    let latitude = try number(.latitude)
    if longitude == nil, latitude == nil {
      if let column = secondPlace {
        throw RowRefused(code: Self.secondTable, detail: Self.secondTableDetail(column))
      }
      return nil
    }
    guard let longitude, let latitude else {
      throw RowRefused(
        field: longitude == nil ? .longitude : .latitude, code: "no_coordinates",
        detail: "The row has only one of its two coordinates.")
    }
    if mapper.mapping.reading.system == nil {
      try checkHalf(latitude.value, latitude.isMarked, isUpright: true)
      try checkHalf(longitude.value, longitude.isMarked, isUpright: false)
    }
    // Degrees with letters or signs stay degrees in a list with another system.
    let system = longitude.isMarked && latitude.isMarked ? nil : mapper.mapping.reading.system
    return (try converted(x: longitude.value, y: latitude.value, from: system), false)
  }

  /// Refuses a plain number that a column of letters puts into the other half of the earth.
  private func checkHalf(
    _ value: Double, _ isMarked: Bool, isUpright: Bool
  ) throws(RowRefused) {
    guard value > 0, !isMarked,
      let column = StatedHalf.negative(in: row.columns, isUpright: isUpright)
    else { return }
    throw RowRefused(
      field: isUpright ? .latitude : .longitude, code: "other_half",
      detail:
        "“\(CleanText.excerpt(column))” says \(isUpright ? "south" : "west"), but the number is positive; "
        + "join both columns with a template in the mapping.")
  }

  private mutating func number(
    _ field: DeviceField
  ) throws(RowRefused) -> (value: Double, isMarked: Bool)? {
    let result = try firstValue(field) {
      draft, values -> Result<(value: Double, isMarked: Bool), RowFault>? in
      guard values.texts.count == 1, let text = values.texts.first else {
        return .failure(
          RowFault(
            code: "several_numbers",
            detail:
              "“\(CleanText.excerpt(values.texts.joined(separator: ", ")))” is several numbers; "
              + "name that of the \(field.name), as in /position/0."))
      }
      let notation = values.shared.rule.notation
      switch PlainNumber.coordinate(text, decimal: notation.decimal) {
      case .success(let number):
        guard let packed = notation.packed else {
          // A longitude of one degree in the form of receivers: 00130.55.
          guard Self.hasPackedWidth(text) else { return .success((number, false)) }
          return .failure(
            RowFault(
              code: "packed_degrees",
              detail: "“\(CleanText.excerpt(text))” has minutes in it; the mapping must say so "
                + "(written_as)."))
        }
        return packed.degrees(number).map { .success(($0, true)) }
          ?? .failure(
            RowFault(
              code: "not_a_coordinate",
              detail: "“\(CleanText.excerpt(text))” has no minutes below 60."))
      case .failure(let fault):
        return DegreesText.coordinate(text, notation, isUpright: field == .latitude)
          .map { .success(($0, true)) } ?? .failure(fault)
      }
    }
    switch result {
    case .success(let number): return number
    case .failure(let fault): throw RowRefused(field: field, code: fault.code, detail: fault.detail)
    case nil: return nil
    }
  }

  /// Whether a number begins with two zeros and has as many whole digits as degrees with minutes have.
  private static func hasPackedWidth(_ text: String) -> Bool {
    text.utf8.count > 5 && text.hasPrefix("00") && text.prefix(while: \.isNumber).count >= 4
  }

  /// The position of one value.
  private mutating func valuePlace() throws(RowRefused) -> Place? {
    let result = try firstValue(.position) {
      _, values -> Result<(WrittenPosition, WrittenPosition.Order?), RowFault>? in
      let rule = values.shared.rule
      guard let found = WrittenPosition.read(values.texts, rule.notation) else {
        return .failure(
          RowFault(
            code: "not_a_position",
            detail: "“\(CleanText.excerpt(values.texts.joined(separator: ", ")))” is no position.")
        )
      }
      if found.needsOrder, rule.order == nil {
        return .failure(
          RowFault(
            code: "unclear_order",
            detail:
              "“\(CleanText.excerpt(values.texts.joined(separator: ", ")))” has a height behind its degrees; "
              + "the mapping must say which is first (order)."))
      }
      return .success((found, rule.order))
    }
    switch result {
    case .failure(let fault):
      throw RowRefused(field: .position, code: fault.code, detail: fault.detail)
    case .success((let found, let order)):
      let (x, y) = found.ordered(order)
      squarePrecision = found.precision
      return (try converted(x: x, y: y, from: try system(of: found)), found.isOnShape)
    case nil: return nil
    }
  }

  /// The coordinate system of a position; nil for degrees.
  private func system(of position: WrittenPosition) throws(RowRefused) -> CoordinateSystem? {
    switch position.numbers {
    case .degrees: return nil
    case .ofList: return mapper.mapping.reading.system
    case .system(let code):
      if CoordinateSystemName.isDegrees(code) { return nil }
      guard let system = mapper.systems.system(code) else {
        throw RowRefused(
          field: .position, code: "unknown_system",
          detail: "“\(CleanText.excerpt(code))” is no known coordinate system.")
      }
      return system
    }
  }

  private mutating func converted(
    x: Double, y: Double, from system: CoordinateSystem?
  ) throws(RowRefused) -> Coordinate {
    guard let system else { return try checked(longitude: x, latitude: y) }
    // Nothing is within 180 metres of the origin of a grid, and some lists have rows of both kinds.
    guard max(abs(x), abs(y)) > 180 else {
      throw RowRefused(
        code: "looks_like_degrees",
        detail: "\(x), \(y) look like degrees, but the numbers of the list are in \(system.name).")
    }
    guard let (longitude, latitude) = system.degrees(x: x, y: y) else {
      throw RowRefused(
        code: "out_of_range", detail: "\(x), \(y) is outside the area of \(system.name).")
    }
    return try checked(longitude: longitude, latitude: latitude)
  }

  private mutating func checked(
    longitude: Double, latitude: Double
  ) throws(RowRefused) -> Coordinate {
    let coordinate: Coordinate
    do throws(InvalidLocation) {
      coordinate = try Coordinate(longitude: longitude, latitude: latitude)
    } catch {
      let isLongitude = if case .longitude = error { true } else { false }
      throw RowRefused(
        field: isLongitude ? .longitude : .latitude, code: "out_of_range",
        detail:
          "“\(isLongitude ? longitude : latitude)” is no \(isLongitude ? "longitude" : "latitude") "
          + "in degrees."
          + (max(abs(longitude), abs(latitude)) > 1_000
            ? " Numbers in metres need the coordinate system of the list (input.crs), and degrees with their "
              + "minutes in one number need written_as." : ""))
    }
    if longitude == latitude, longitude == 0 || longitude == -1 {
      note(
        nil, "null_island",
        "\(latitude), \(longitude) is in the Atlantic; more likely the place is not known.")
    } else if longitude == 0 || latitude == 0, max(abs(longitude), abs(latitude)) > Self.nearNull {
      note(
        nil, "zero_coordinate",
        "The \(longitude == 0 ? "longitude" : "latitude") is exactly 0; more likely it is not known."
      )
    }
    if let bounds = mapper.mapping.bounds {
      guard bounds.west <= longitude, longitude <= bounds.east, bounds.south <= latitude,
        latitude <= bounds.north
      else {
        throw RowRefused(
          code: "out_of_bounds",
          detail: "\(longitude), \(latitude) is outside the area of this list.")
      }
    }
    return coordinate
  }

  /// Degrees around 0, 0, where a coordinate of 0 is as likely as any other.
  private static let nearNull = 3.0

  // MARK: A second table

  /// The code of the note about a row with a position in a second table to the right of the first.
  static let secondTable = "second_table"

  /// The repeated column of a position that has a value in this row.
  private var secondPlace: String? {
    guard !mapper.repeatedPlaces.isEmpty else { return nil }
    return row.columns.members.first { name, value in
      name.utf8.last == UInt8(ascii: ")") && mapper.repeatedPlaces.contains(name)
        && value.scalarText?.isEmpty == false
    }?.key
  }

  private static func secondTableDetail(_ column: String) -> String {
    "“\(CleanText.excerpt(column))” has a position that is not imported; if a second table is beside the first, "
      + "put it on a sheet of its own."
  }

  /// Flags a row with a second position.
  mutating func noteSecondPlace() {
    if let column = secondPlace { note(nil, Self.secondTable, Self.secondTableDetail(column)) }
  }

  mutating func isDeclaredApproximate() -> Bool {
    firstOptionalValue(.approximate) { _, values in values.texts.first == "true" } ?? false
  }

  /// The precision of the public point; nil for the usual one of the category. It is never finer than the columns of
  /// the row state.
  mutating func precision(of category: String) -> Precision? {
    let wanted = choice(.precision, Precision.init(rawValue:))
    var stated = StatedPrecision.of(row.columns)
    if let square = squarePrecision { stated = stated?.coarser(square) ?? square }
    guard let stated else { return wanted }
    let isHousehold = mapper.vocabulary?.category(category)?.isHousehold ?? false
    let precision = (wanted ?? (isHousehold ? .kilometre : .exact)).coarser(stated)
    if precision != wanted {
      note(
        .precision, "coarse_point",
        "The list says that the position is not exact; its precision is \(precision.rawValue).")
    }
    return precision
  }
}
