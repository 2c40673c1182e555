import PrivacyMap
@testable import Reading
import Testing

/// The cache of indexes of filtered devices.
@Suite struct FilteredIndexTests {
  let indexes = FilteredIndexes(capacity: 2, largest: 0)

  private func made(_ filter: String, _ version: String, in indexes: FilteredIndexes) throws -> Bool
  {
    var wasMade = false
    _ = try indexes.index(FilteredIndexes.Key(filter, version)) {
      wasMade = true
      return PointIndex.Builder().finish(sequence: 0)
    }
    return wasMade
  }

  @Test func `an index is created once for a filter and a version`() throws {
    #expect(try made("a", "1", in: indexes))
    #expect(try !made("a", "1", in: indexes))
    #expect(try made("a", "2", in: indexes))
    #expect(try made("b", "2", in: indexes))
    #expect(try !made("a", "2", in: indexes))
  }

  @Test func `the least recently used index is removed first`() throws {
    for filter in ["a", "b", "a", "c"] { _ = try made(filter, "1", in: indexes) }
    #expect(try !made("a", "1", in: indexes))
    #expect(try made("b", "1", in: indexes))
  }

  @Test func `an index above the size limit is not cached, and not created twice`() throws {
    let small = FilteredIndexes(capacity: 2, largest: -1)
    #expect(try made("a", "1", in: small))
    #expect(try !made("a", "1", in: small))
    #expect(try small.index(FilteredIndexes.Key("a", "1")) { PointIndex() } == nil)
  }

  @Test func `an index that failed is created again`() throws {
    struct Fault: Error {}
    #expect(throws: Fault.self) {
      try indexes.index(FilteredIndexes.Key("a", "1")) { throw Fault() }
    }
    #expect(try made("a", "1", in: indexes))
  }
}
