import JSON
package import Service

/// A region of a photo, as fractions of its width and height from the upper left corner.
package struct PhotoRegion: Sendable, Equatable {
  var x, y, width, height: Double

  /// The maximum number of regions per request.
  static let maximum = 32

  /// The format of `farol-image`.
  var argument: String { "\(x),\(y),\(width),\(height)" }
}

extension RequestBody {
  /// Reads regions of a photo: 1 to ``PhotoRegion/maximum`` objects with `x`, `y`, `width` and `height`.
  ///
  /// - Returns: an empty list if the member is missing or invalid, which is reported in the body's
  ///   faults.
  package mutating func photoRegions(_ name: String) -> [PhotoRegion] {
    guard let items = value(name)?.arrayValue, (1...PhotoRegion.maximum).contains(items.count)
    else {
      fault(name, Message("error.photo_regions", ["maximum": "\(PhotoRegion.maximum)"]))
      return []
    }
    var regions: [PhotoRegion] = []
    for item in items {
      guard let object = item.objectValue,
        Set(object.members.map(\.key)) == ["x", "y", "width", "height"],
        let x = object["x"]?.numberValue, let y = object["y"]?.numberValue,
        let width = object["width"]?.numberValue, let height = object["height"]?.numberValue,
        [x, y, width, height].allSatisfy({ (0...1).contains($0) }), width > 0, height > 0
      else {
        refuse(name, Message("error.photo_regions", ["maximum": "\(PhotoRegion.maximum)"]))
        return []
      }
      regions.append(PhotoRegion(x: x, y: y, width: width, height: height))
    }
    return regions
  }
}
