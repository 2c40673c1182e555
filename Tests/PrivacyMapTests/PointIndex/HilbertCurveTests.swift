import Testing

@testable import PrivacyMap

@Suite struct HilbertCurveTests {
  @Test func `each step along the curve goes to a neighbouring cell`() {
    let order = 5
    var cells: [UInt64: (x: Int, y: Int)] = [:]
    let width = Int64(1) << 27
    for x in 0..<32 {
      for y in 0..<32 {
        let longitude = min(Int64(x) * width, 3_600_000_000) - 1_800_000_000
        let latitude = min(Int64(y) * width / 2, 1_800_000_000) - 900_000_000
        let distance = HilbertCurve.distance(
          longitude: Int32(longitude), latitude: Int32(latitude), order: order)
        if cells[distance] == nil { cells[distance] = (x, y) }
      }
    }
    let path = cells.sorted { $0.key < $1.key }
    #expect(path.count >= 27 * 27)
    for (one, other) in zip(path, path.dropFirst()) where other.key == one.key + 1 {
      #expect(abs(one.value.x - other.value.x) + abs(one.value.y - other.value.y) == 1)
    }
  }

  @Test(arguments: [1, 16, 22, 31, 32])
  func `the corners of the world have a position on the curve`(order: Int) {
    for longitude in [-1_800_000_000, 1_800_000_000] as [Int32] {
      for latitude in [-900_000_000, 900_000_000] as [Int32] {
        let distance = HilbertCurve.distance(
          longitude: longitude, latitude: latitude, order: order)
        #expect(order == 32 || distance < 1 << UInt64(2 * order))
      }
    }
  }

  @Test func `a heap returns the smallest few, and as a queue the largest first`() {
    var generator = SeededGenerator(seed: 51)
    let numbers = (0..<500).map { _ in Int.random(in: 0..<100, using: &generator) }
    var least = MaxHeap<Int>()
    for number in numbers { least.offer(number, limit: 40) }
    #expect(least.sorted() == Array(numbers.sorted().prefix(40)))
    var queue = MaxHeap<Int>()
    for number in numbers { queue.push(number) }
    var drained: [Int] = []
    while let number = queue.pop() { drained.append(number) }
    #expect(drained == numbers.sorted(by: >))
  }
}
