import PrivacyMap

/// The position of a device.
extension DeviceDraft {
  typealias Place = (coordinate: Coordinate, isApproximate: Bool)

  /// - Throws: ``RowRefused`` if the row has no usable coordinates.
  mutating func place() throws(RowRefused) -> Place {
    columns.isLocating = true
    defer { columns.isLocating = false }
    if let pair = try columnPlace() {
      return (try checked(longitude: pair.longitude, latitude: pair.latitude), false)
    }
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

  private mutating func columnPlace() throws(RowRefused) -> (longitude: Double, latitude: Double)? {
    guard mapper.mapping.fields[.longitude] != nil else { return nil }
    let longitude = try degrees(.longitude)
    let latitude = try degrees(.latitude)
    if longitude == nil, latitude == nil { return nil }
    guard let longitude, let latitude else {
      throw RowRefused(
        field: longitude == nil ? .longitude : .latitude, code: "no_coordinates",
        detail: "The row has only one of its two coordinates.")
    }
    return (longitude, latitude)
  }

  private mutating func degrees(_ field: DeviceField) throws(RowRefused) -> Double? {
    let result = try firstValue(field) { draft, values -> Result<Double, RowFault>? in
      guard values.texts.count == 1, let text = values.texts.first else {
        return .failure(
          RowFault(
            code: "several_numbers",
            detail:
              "“\(ImportNote.excerpt(values.texts.joined(separator: ", ")))” is several numbers; "
              + "name that of the \(field.name), as in /position/0."))
      }
      return PlainNumber.coordinate(text, decimal: values.shared.rule.decimal)
    }
    switch result {
    case .success(let degrees): return degrees
    case .failure(let fault): throw RowRefused(field: field, code: fault.code, detail: fault.detail)
    case nil: return nil
    }
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
          + "in degrees.")
    }
    if longitude == 0, latitude == 0 {
      note(nil, "null_island", "0, 0 is in the Atlantic; more likely the place is not known.")
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

  mutating func isDeclaredApproximate() -> Bool {
    firstOptionalValue(.approximate) { _, values in values.texts.first == "true" } ?? false
  }

  /// The precision of the public point; nil for the usual one of the category. It is never finer than the columns of the
  /// row say.
  mutating func precision(of category: String) -> Precision? {
    let wanted = choice(.precision, Precision.init(rawValue:))
    guard let stated = StatedPrecision.of(row.columns) else { return wanted }
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
