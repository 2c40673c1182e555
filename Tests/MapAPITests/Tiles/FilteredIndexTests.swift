import PrivacyMap
import Testing

@testable import MapAPI

/// Which indexes of filtered devices are kept.
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

  @Test func `an index is made once for a filter and a version`() throws {
    #expect(try made("a", "1", in: indexes))
    #expect(try !made("a", "1", in: indexes))
    #expect(try made("a", "2", in: indexes))
    #expect(try made("b", "2", in: indexes))
    #expect(try !made("a", "2", in: indexes))
  }

  @Test func `the one not used for longest goes first`() throws {
    for filter in ["a", "b", "a", "c"] { _ = try made(filter, "1", in: indexes) }
    #expect(try !made("a", "1", in: indexes))
    #expect(try made("b", "1", in: indexes))
  }

  @Test func `one too large is not kept, and is not made twice`() throws {
    let small = FilteredIndexes(capacity: 2, largest: -1)
    #expect(try made("a", "1", in: small))
    #expect(try !made("a", "1", in: small))
    #expect(try small.index(FilteredIndexes.Key("a", "1")) { PointIndex() } == nil)
  }

  @Test func `one that could not be made is tried again`() throws {
    struct Fault: Error {}
    #expect(throws: Fault.self) {
      try indexes.index(FilteredIndexes.Key("a", "1")) { throw Fault() }
    }
    #expect(try made("a", "1", in: indexes))
  }
}
