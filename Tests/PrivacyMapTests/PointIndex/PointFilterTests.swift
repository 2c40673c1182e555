import Testing

@testable import PrivacyMap

@Suite struct PointFilterTests {
  private let point = IndexedPoint(
    rowid: 1, id: DeviceID(high: 1, low: 2), position: FixedPosition(longitude: 5, latitude: 6),
    profile: DeviceProfile(
      category: 3, status: 1, setting: 2, operatorKind: 0, precision: 1, data: 0b110, choices: 0b1),
    dueDay: 100, country: IndexedPoint.packedCountry("PT"), bearing: 90)

  @Test func `an empty filter matches everything`() {
    #expect(PointFilter().accepts(point))
  }

  @Test(arguments: [
    PointFilter(boxes: [FixedBox(west: 5, south: 6, east: 5, north: 6)]),
    PointFilter(categories: [3, 9]), PointFilter(statuses: [1]), PointFilter(settings: [2]),
    PointFilter(operatorKinds: [0]), PointFilter(dataAny: 0b1010), PointFilter(choicesAny: 1),
    PointFilter(countries: [0, IndexedPoint.packedCountry("pt")]),
    PointFilter(dueDays: [0...0, 100...100]),
  ])
  func `each condition matches its own values`(filter: PointFilter) {
    #expect(filter.accepts(point))
  }

  @Test(arguments: [
    PointFilter(boxes: [FixedBox(west: 6, south: 6, east: 7, north: 6)]), PointFilter(boxes: []),
    PointFilter(categories: [2, 4]), PointFilter(categories: []), PointFilter(statuses: [0]),
    PointFilter(settings: [255]), PointFilter(operatorKinds: [1]), PointFilter(dataAny: 0b1),
    PointFilter(dataAny: 0), PointFilter(choicesAny: 0b10), PointFilter(countries: [0]),
    PointFilter(countries: []), PointFilter(dueDays: [0...99, 101...UInt16.max]),
    PointFilter(dueDays: []), PointFilter(categories: [3], statuses: [4]),
  ])
  func `each condition excludes other values, and excludes all when empty`(
    filter: PointFilter
  ) {
    #expect(!filter.accepts(point))
    var index = PointIndex()
    index.apply([.put(point)], sequence: 1)
    #expect(index.count(matching: filter) == 0)
    #expect(index.rowids(matching: filter, limit: 1) == PointPage(rowids: [], total: 0))
  }

  /// A new field of the filter fails here until each path judges it: one that a path forgets would match every device.
  @Test func `each field excludes a device on every path`() throws {
    let far = [(50, 50), (60, 50), (60, 60), (50, 60)].map {
      FixedPosition(longitude: $0.0, latitude: $0.1)
    }
    let region = try #require(Region(RegionShape(polygons: [[far]])))
    var others = PointFilter(rows: RowSet([2]))
    others.orCategories = [9]
    let filters: [String: PointFilter] = [
      "boxes": PointFilter(boxes: []), "regions": PointFilter().narrowed(to: region),
      "categories": PointFilter(categories: [9]), "statuses": PointFilter(statuses: [9]),
      "settings": PointFilter(settings: [9]), "operatorKinds": PointFilter(operatorKinds: [9]),
      "dataAny": PointFilter(dataAny: 1), "choicesAny": PointFilter(choicesAny: 2),
      "countries": PointFilter(countries: []), "dueDays": PointFilter(dueDays: []),
      "rows": PointFilter(rows: RowSet([2])), "orCategories": others,
    ]
    let fields = Mirror(reflecting: PointFilter()).children.compactMap(\.label)
    #expect(Set(filters.keys) == Set(fields))
    var index = PointIndex()
    index.apply([.put(point)], sequence: 1)
    for (field, filter) in filters {
      #expect(!filter.accepts(point), "\(field)")
      #expect(index.count(matching: filter) == 0, "\(field)")
      #expect(index.rowids(matching: filter, limit: 1).rowids.isEmpty, "\(field)")
    }
    others.orCategories = [3]
    #expect(others.accepts(point) && index.count(matching: others) == 1)
  }

  @Test func `narrowing a set of codes twice keeps what both have`() {
    var filter = PointFilter()
    _ = filter.narrow(\.categories, to: [3, 9])
    #expect(filter.accepts(point))
    _ = filter.narrow(\.categories, to: [9, 12])
    #expect(!filter.accepts(point) && filter.categories == [9])
  }

  @Test func `a device in overlapping boxes counts once`() {
    var index = PointIndex()
    index.apply([.put(point)], sequence: 1)
    let box = FixedBox(west: 0, south: 0, east: 9, north: 9)
    #expect(index.count(matching: PointFilter(boxes: [box, box])) == 1)
  }

  @Test(arguments: [0, 1, 63, 64, 127, 128, 191, 192, 255] as [UInt8])
  func `a set of codes contains exactly the inserted codes`(code: UInt8) {
    let set: CodeSet = [code]
    #expect(set.contains(code))
    #expect(!set.contains(code &+ 1))
    #expect(!set.contains(code &- 1))
    #expect(set == CodeSet([code, code]))
  }

  @Test(arguments: ["PT", "AA", "ZZ", "CV"])
  func `a country code survives packing`(code: String) {
    #expect(IndexedPoint.countryCode(IndexedPoint.packedCountry(code)) == code)
    #expect(IndexedPoint.packedCountry(code.lowercased()) == IndexedPoint.packedCountry(code))
  }

  @Test(arguments: ["", "P", "PRT", "P1", "1P", "@A", "[A", "é"])
  func `an invalid country code packs to unknown`(code: String) {
    #expect(IndexedPoint.packedCountry(code) == 0)
  }

  @Test func `unknown is not a country`() {
    #expect(IndexedPoint.countryCode(0) == nil)
    #expect(IndexedPoint.countryCode(31) == nil)
    #expect(IndexedPoint.countryCode(.max) == nil)
  }
}
