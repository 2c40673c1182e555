import Testing

@testable import PrivacyMap

/// The blocks that a search visits.
@Suite struct PointSegmentTests {
  private static let segments = PointIndexQueryTests.worlds.flatMap { world in
    world.index.segments.map(\.segment)
  }

  @Test func `the blocks of the world are one run`() {
    for segment in Self.segments {
      let runs = segment.runs(in: nil)
      #expect(runs.map(\.blocks) == [0..<segment.blockCount])
      #expect(runs.allSatisfy { $0.isInside })
    }
  }

  @Test func `without a box no block is visited`() {
    for segment in Self.segments { #expect(segment.runs(in: []).isEmpty) }
  }

  @Test func `runs are in order, cover all searched points, and know when they are exact`() {
    var generator = SeededGenerator(seed: 5)
    for segment in Self.segments {
      for _ in 0..<30 {
        let boxes = (0..<Int.random(in: 1...3, using: &generator)).map { _ in
          Self.box(&generator)
        }
        func isSearched(_ slot: Int) -> Bool {
          boxes.contains { $0.contains(segment.position(at: slot)) }
        }
        let runs = segment.runs(in: boxes)
        for (one, next) in zip(runs, runs.dropFirst()) {
          #expect(one.blocks.upperBound <= next.blocks.lowerBound)
        }
        let inside = runs.filter(\.isInside).flatMap { Self.slots(of: $0, segment) }
        #expect(inside.allSatisfy { isSearched($0) })
        let met = Set(runs.flatMap { Self.slots(of: $0, segment) })
        #expect((0..<segment.count).allSatisfy { !isSearched($0) || met.contains($0) })
      }
    }
  }

  private static func slots(of run: PointSegment.BlockRun, _ segment: PointSegment) -> [Int] {
    run.blocks.flatMap { PointSegment.slots(ofBlock: $0, count: segment.count) }
  }

  private static func box(_ generator: inout SeededGenerator) -> FixedBox {
    let west = Int32.random(in: -1_800_000_000...1_000_000_000, using: &generator)
    let south = Int32.random(in: -900_000_000...400_000_000, using: &generator)
    return FixedBox(
      west: west, south: south,
      east: west + Int32.random(in: 1...800_000_000, using: &generator),
      north: south + Int32.random(in: 1...500_000_000, using: &generator))
  }
}
