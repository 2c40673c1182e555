private import Glibc

extension FixedBox {
  /// The area of the box in square kilometres, on a sphere with the Earth's surface area.
  package var squareKilometres: Double {
    guard !isEmpty else { return 0 }
    let box = intersection(.world)
    guard !box.isEmpty else { return 0 }
    let radians = Double.pi / 180 / FixedPosition.unitsPerDegree
    let width = (Double(box.east) - Double(box.west)) * radians
    let height = sin(Double(box.north) * radians) - sin(Double(box.south) * radians)
    let radius = Earth.authalicRadius / 1_000
    return width * height * radius * radius
  }
}
