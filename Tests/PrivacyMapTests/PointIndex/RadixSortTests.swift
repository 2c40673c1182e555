import Testing

@testable import PrivacyMap

@Suite struct RadixSortTests {
  @Test(arguments: [0, 1, 2, 47, 48, 49, 257, 5_000])
  func `numbers of all kinds are sorted`(count: Int) {
    var generator = SeededGenerator(seed: UInt64(count) + 3)
    let kinds: [(inout SeededGenerator) -> UInt64] = [
      { $0.next() }, { $0.next() % 7 }, { $0.next() % 3 << 62 | $0.next() % 200 }, { _ in 5 },
      { [0, .max].randomElement(using: &$0) ?? 0 },
    ]
    for kind in kinds {
      var numbers = (0..<count).map { _ in kind(&generator) }
      let expected = numbers.sorted()
      numbers.radixSort()
      #expect(numbers == expected)
      numbers.radixSort()
      #expect(numbers == expected)
      numbers.reverse()
      numbers.radixSort()
      #expect(numbers == expected)
    }
  }
}
