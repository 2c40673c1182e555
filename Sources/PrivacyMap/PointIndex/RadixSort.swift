extension [UInt64] {
  /// Sorts in place, byte by byte from the highest (McIlroy, Bostic and McIlroy 1993, “Engineering Radix Sort”).
  ///
  /// For a million numbers it takes a fraction of the time of `sort()`, which also needs half as much additional
  /// memory.
  mutating func radixSort() {
    withUnsafeMutableBufferPointer { numbers in Self.radixSort(numbers, shift: 56) }
  }

  /// Up to this count, insertion sort is used.
  private static let few = 48

  /// Sorts numbers that agree in all bits above the eight bits at `shift`.
  private static func radixSort(_ numbers: UnsafeMutableBufferPointer<UInt64>, shift: UInt64) {
    guard numbers.count > few else { return insertionSort(numbers) }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 512) { places in
      places.initialize(repeating: 0)
      for number in numbers { places[256 + Int(number >> shift & 255)] += 1 }
      // First half: the next position for each digit. From 256 on: the end of each digit's range.
      var end = 0
      for digit in 0..<256 {
        places[digit] = end
        end += places[256 + digit]
        places[256 + digit] = end
      }
      for digit in 0..<256 {
        while places[digit] < places[256 + digit] {
          var number = numbers[places[digit]]
          var target = Int(number >> shift & 255)
          while target != digit {
            swap(&number, &numbers[places[target]])
            places[target] += 1
            target = Int(number >> shift & 255)
          }
          numbers[places[digit]] = number
          places[digit] += 1
        }
      }
      guard shift > 0 else { return }
      var start = 0
      for digit in 0..<256 {
        let end = places[256 + digit]
        if end - start > 1 {
          radixSort(UnsafeMutableBufferPointer(rebasing: numbers[start..<end]), shift: shift - 8)
        }
        start = end
      }
    }
  }

  private static func insertionSort(_ numbers: UnsafeMutableBufferPointer<UInt64>) {
    guard numbers.count > 1 else { return }
    for next in 1..<numbers.count {
      let number = numbers[next]
      var place = next
      while place > 0, numbers[place - 1] > number {
        numbers[place] = numbers[place - 1]
        place -= 1
      }
      numbers[place] = number
    }
  }
}
