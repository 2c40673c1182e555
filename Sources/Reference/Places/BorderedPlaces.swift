package import PrivacyMap

extension PlaceStore {
  /// The area that a filter with a place selects. Nil if there is no such place.
  package func area(of id: Int64) throws -> PlaceArea? {
    guard let place = try place(id: id) else { return nil }
    let region = try borders.region(of: id)
    if let part = try borders.part(of: id), let box = part.nearest.bounds.onMap {
      return PlaceArea(
        regions: [part.nearest], country: part.country, box: box,
        squareKilometres: region?.squareKilometres)
    }
    if let region {
      return PlaceArea(
        regions: [region], box: region.bounds.onMap, squareKilometres: region.squareKilometres)
    }
    if place.kind == "country", let country = place.country { return .country(country) }
    return PlaceArea(box: place.box)
  }

  /// The polygons of a place to draw at a zoom. Nil without a border.
  package func drawing(of id: Int64, atZoom zoom: Int) throws -> RegionShape? {
    try borders.drawing(of: id, atZoom: zoom)
  }

  /// The places with a border directly inside a place.
  package func parts(of id: Int64, limit: Int, language: String) throws -> [Place] {
    try borders.parts(of: id, language, limit: limit).compactMap {
      try place(id: $0.place, language: language)
    }
  }

  /// Places to compare with one: its neighbours inside the same border, otherwise the nearest towns of its country.
  package func neighbours(of place: Place, limit: Int, language: String) throws -> [Place] {
    guard let id = place.id else { return [] }
    let beside = try borders.neighbours(of: id, language, limit: limit)
    if !beside.isEmpty {
      return try beside.compactMap { try self.place(id: $0.place, language: language) }
    }
    guard place.kind == "city", let country = place.country else { return [] }
    let near = try nearest(
      to: place.position, in: country, count: Self.compared, language: language)
    // Of the towns around, the most similar ones; «Zürich Kreis 3» is a part of Zürich.
    return near.filter { $0.id != id && !$0.name.hasPrefix(place.name) }
      .sorted { abs($0.population - place.population) < abs($1.population - place.population) }
      .prefix(limit).compactMap { try? bordered($0, $0.id ?? 0, language) }
  }

  /// The towns around one among which its neighbours are chosen.
  private static let compared = 40

  /// A place with its border; a town with the box of it.
  func bordered(_ known: Place?, _ id: Int64, _ language: String) throws -> Place? {
    guard borders.has(id), let border = try borders.border(of: id, language) else { return known }
    guard var place = known else { return try self.place(border, language) }
    // The gazetteer's box of a country or region leaves out its parts overseas, and may cross the antimeridian.
    if place.kind == "city" { place.box = border.box }
    place.hasBorder = true
    return place
  }

  /// The places found in the gazetteer with their borders, and after them further places with a border.
  func withBorders(
    _ found: [Place], and text: String, limit: Int, language: String
  ) throws -> [Place] {
    let places = try found.map { place in
      try place.id.flatMap { try bordered(place, $0, language) } ?? place
    }
    let words = PlainWords.of(text).joined(separator: " ")
    guard places.count < limit, !words.isEmpty else { return places }
    let others = try borders.named(words, language, limit: limit - places.count)
    return try places + others.map { try place($0, language) }
  }

  /// A place that only has a border.
  private func place(_ border: Border, _ language: String) throws -> Place {
    Place(
      id: border.place, name: border.name, region: border.region, country: border.country,
      countryName: try nearest(to: border.position, language: language)?.countryName,
      kind: border.kind,
      position: border.position, box: border.box, population: 0, hasBorder: true)
  }
}
