/// A binary heap with the greatest element on top. It selects the least few of many elements. With
/// an inverted comparison it serves as a priority queue.
struct MaxHeap<Element: Comparable> {
  private var elements: [Element] = []

  var count: Int { elements.count }
  var top: Element? { elements.first }

  /// All elements in ascending order.
  consuming func sorted() -> [Element] { elements.sorted() }

  mutating func push(_ element: Element) {
    elements.append(element)
    var child = elements.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard elements[parent] < elements[child] else { return }
      elements.swapAt(parent, child)
      child = parent
    }
  }

  mutating func pop() -> Element? {
    guard let last = elements.popLast() else { return nil }
    guard let top = elements.first else { return last }
    elements[0] = last
    sink()
    return top
  }

  /// Keeps the `limit` least elements of all offered elements.
  mutating func offer(_ element: Element, limit: Int) {
    guard elements.count >= limit else { return push(element) }
    guard let top = elements.first, element < top else { return }
    elements[0] = element
    sink()
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var greatest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < elements.count && elements[greatest] < elements[child] {
        greatest = child
      }
      guard greatest != parent else { return }
      elements.swapAt(parent, greatest)
      parent = greatest
    }
  }
}
