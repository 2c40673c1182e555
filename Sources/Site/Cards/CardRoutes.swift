import Devices
import MappingDays
import PrivacyMap
import Reading
import Reference
package import Service
import SpatialDatabase
import WebServer

/// `/api/cards`: the pictures of link previews, which the pages of devices, places and statistics name.
package struct CardRoutes: Feature {
  private let store: DeviceStore
  private let statistics: StatisticsStore
  private let parameters: StatisticsParameters
  private let places: PlaceStore?
  private let names: DeviceNames
  private let frame: PageFrame
  private let drawings: DrawingService
  /// The coasts.
  private let countries: CountryMap?

  package init(_ instance: Instance) throws {
    let statistics: StatisticsRoutes = try instance.part()
    (self.statistics, parameters) = (statistics.store, statistics.parameters)
    (store, places) = (try instance.part(), try instance.places)
    (frame, drawings) = (instance.frame, try instance.part())
    names = try instance.part()
    let archives: Archives = try instance.given()
    countries = archives.countries
  }

  package var endpoints: [Endpoint] {
    [
      endpoint(
        "getDeviceCard", "/api/cards/devices/{id}.png", "A picture for links to a device.",
        [.deviceID], device),
      endpoint(
        "getPlaceCard", "/api/cards/places/{id}.png", "A picture for links to a place.",
        [.path("id", .text(maxLength: 20), "The id of the place, as in `/api/places`.")], place),
      endpoint(
        "getMappingDayCard", "/api/cards/mapping-days/{id}.png",
        "A picture for links to a mapping day.",
        [.path("id", .text(maxLength: 100), "The UUID of a mapping day.")], mappingDay),
      endpoint(
        "getStatisticsCard", "/api/cards/statistics.png",
        "A picture for links to the statistics of the devices of a filter.",
        parameters.parameters.declared, figures),
    ]
  }

  private func endpoint(
    _ id: String, _ path: String, _ summary: String, _ parameters: [Parameter],
    _ card: @escaping @Sendable (Request, _ language: String) throws -> ShareCard
  ) -> Endpoint {
    Endpoint(
      id, .get, path, tag: "Interface", summary: summary, access: .everyone,
      parameters: parameters + [.language(frame.catalogue.languages)],
      answers: [.ok("A picture of 1200 × 630 pixels.", "image/png")],
      .apart(drawings.queue) { request, _ in
        try frame.catalogue.checkLanguage(request)
        return try response(try card(request, frame.catalogue.language(of: request)), request)
      })
  }

  private func response(_ card: ShareCard, _ request: Request) throws -> Response {
    let file = try drawings.drawing(card.content, for: request.clientAddress) {
      try card.png(countries: countries)
    }
    var response = Response.bytes(file, contentType: "image/png")
    response.etag = EntityTag(hashing: file)
    // Sites keep their own copies for longer.
    response.headers["Cache-Control"] = "public, max-age=3600"
    response.headers.merge("Vary", "Accept-Language")
    return response
  }

  @Sendable private func device(_ request: Request, _ language: String) throws -> ShareCard {
    try store.database.read { connection in
      let found = try FoundDevice(request.parameter("id"), for: .nobody, connection)
      guard let facts = try PageStore().device(found.id, connection) else {
        throw NotFound.device
      }
      func label(_ scheme: String, _ code: String) throws -> String {
        try TaxonomyStore().words(scheme, code, in: language, connection)?.label ?? code
      }
      let data = try facts.data.map { try label("data", $0) }
      let by =
        facts.operatorName.map { words("page.card.operator", language, ["name": $0]) }
        ?? words("page.card.operator_unknown", language)
      return ShareCard(
        kicker: try label("categories", facts.category),
        title: try names.shown(of: found.id.text, in: language, connection) ?? facts.name,
        lines: [by]
          + (data.isEmpty
            ? []
            : [words("page.card.collects", language, ["data": data.joined(separator: ", ")])])
          + [try label("statuses", facts.status)],
        site: site, language: language)
    }
  }

  @Sendable private func mappingDay(_ request: Request, _ language: String) throws -> ShareCard {
    let day = try store.database.read {
      try DayPreview(of: request.parameter("id"), $0)
    }
    guard let day else { throw NotFound(Message("error.not_found.mapping_day")) }
    var map = CardMap(area: day.area, meeting: day.meeting, aspect: ShareCard.aspect)
    if let found = map {
      let surroundings = try grid([("bbox", found.box)], language)
      map?.dots = found.frame.dots(surroundings.answer.cells, zoom: surroundings.zoom)
    }
    return ShareCard(
      kicker: words("page.card.mapping_day", language), title: day.title,
      lines: ["\(day.start) – \(day.end)", day.timeZone, String(day.purpose.prefix(120))],
      map: map, site: site, language: language)
  }

  @Sendable private func place(_ request: Request, _ language: String) throws -> ShareCard {
    guard let id = Int64(request.parameter("id")), let places,
      let place = try places.place(id: id, language: language)
    else { throw NotFound(Message("error.not_found.place")) }
    let (answer, zoom) = try grid([("place", "\(id)")], language)
    let groups = try groups(answer, language).map { "\($0.label): \($0.count)" }
    let (dots, outlines) =
      try PlaceMap(place, places, language).map {
        ($0.frame.dots(answer.cells, zoom: zoom, maxWeight: 0.6), $0.outlines)
      } ?? (Self.dots(answer.cells, zoom: zoom), [])
    let credit = places.borders.source(of: id)?.attribution
    return ShareCard(
      kicker: [place.countryName, words("page.card.map", language)].compactMap { $0 }
        .joined(separator: " · "),
      title: place.hasBorder
        ? place.name : words("page.card.around", language, ["place": place.name]),
      lines: [count(answer.total, language)] + groups, dots: dots, outlines: outlines,
      site: [site, store.environment.now().day.text, frame.settings.licence, credit]
        .compactMap { $0 }.joined(separator: " · "),
      language: language)
  }

  @Sendable private func figures(_ request: Request, _ language: String) throws -> ShareCard {
    let pairs = request.query.pairs.filter { $0.name != "lang" }.map { ($0.name, $0.value) }
    let answer = try answer(Query(pairs + [("group_by", "category"), ("limit", "5")]), language)
    let id = request.query["place"].flatMap { Int64($0) }
    let place = try id.flatMap { try places?.place(id: $0, language: language) }
    return ShareCard(
      kicker: words("page.statistics.title", language),
      title: count(answer.total, language), lines: [place?.name].compactMap { $0 },
      bars: try groups(answer, language), site: site, language: language)
  }

  /// The number of cells of a place's map.
  private static let maxCells = 3_000

  /// The devices of a filter, in the finest cells of which there are not too many.
  private func grid(
    _ filter: [(String, String)], _ language: String
  ) throws -> (answer: StatisticsAnswer, zoom: Int) {
    let query = filter + [("group_by", "category"), ("limit", "3")]
    let devices = try parameters.parameters.filter(Query(query))
    let today = store.environment.now().day
    let boxes = devices.pointFilter(vocabulary: store.vocabulary, today: today)?.boxes
    let zoom =
      PointIndex.gridZooms.last {
        PointIndex.gridCellCount(zoom: $0, boxes: boxes) <= Self.maxCells
      } ?? 0
    return (try answer(Query(query + [("grid", "\(zoom)")]), language), zoom)
  }

  private func answer(_ query: Query, _ language: String) throws -> StatisticsAnswer {
    let today = store.environment.now().day
    return try statistics.answer(
      parameters.question(query, today: today, language: language), today: today)
  }

  private func groups(_ answer: StatisticsAnswer, _ language: String) throws -> [ShareCard.Bar] {
    let maximum = Double(answer.largestGroups.first?.count ?? 1)
    return try store.database.read { connection in
      try answer.largestGroups.compactMap { group in
        guard let code = group.key else { return nil }
        let label =
          try TaxonomyStore().words("categories", code, in: language, connection)?.label ?? code
        return ShareCard.Bar(
          label: label, count: Self.number(group.count, language),
          share: Double(group.count) / max(maximum, 1))
      }
    }
  }

  /// The cells in the smallest square around all of them, which has at least four cells a side.
  private static func dots(_ cells: [PointGrid.Cell], zoom: Int) -> [ShareCard.Dot] {
    let middles = cells.map { CardFrame.middle(of: $0, zoom: zoom) }
    let frame = CardFrame(around: middles, minHeight: 4 / Double(1 << zoom))
    return frame?.dots(cells, zoom: zoom) ?? []
  }

  private func count(_ number: Int, _ language: String) -> String {
    words(
      number == 1 ? "page.card.devices.one" : "page.card.devices.other", language,
      ["count": Self.number(number, language)])
  }

  /// `12,345`; in Portuguese `12 345`, from five digits on.
  private static func number(_ number: Int, _ language: String) -> String {
    let digits = Array(String(number))
    guard digits.count > 3, language != "pt" || digits.count > 4 else { return String(digits) }
    let mark = language == "pt" ? "\u{A0}" : ","
    return digits.enumerated().reduce(into: "") { text, digit in
      if digit.offset > 0, (digits.count - digit.offset).isMultiple(of: 3) { text += mark }
      text.append(digit.element)
    }
  }

  private var site: String {
    let address = frame.addresses.base
    let host = address.firstRange(of: "://").map { String(address[$0.upperBound...]) } ?? address
    return frame.settings.name + " · " + host
  }

  private func words(
    _ key: String, _ language: String, _ values: [String: String] = [:]
  ) -> String {
    frame.text(key, language, values)
  }
}
