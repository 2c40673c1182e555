internal import Glibc
internal import OSMExtract

/// The streets of a file in OpenStreetMap's binary format.
struct StreetFile {
  private let keys: Options.StreetKeys

  init(_ keys: Options.StreetKeys) { self.keys = keys }

  func write(to output: Output) throws {
    var fault = [CChar](repeating: 0, count: 200)
    let lists = [keys.ways, keys.nodes, keys.kept].map(CStrings.init)
    defer { lists.forEach { $0.free() } }
    // Kept alive until the call returns.
    let context = Unmanaged.passUnretained(output).toOpaque()
    let result = osm_streets(
      STDIN_FILENO, lists[0].keys, lists[1].keys, lists[2].keys, Limits.streetPlaces, writeBytes,
      context, &fault, fault.count)
    switch result {
    case OSM_TOO_MANY_PLACES: throw Refusal(.area)
    default: try OSMFile.check(result, fault)
    }
  }
}

/// Texts for a C function.
private struct CStrings {
  private let pointers: UnsafeMutableBufferPointer<UnsafePointer<CChar>?>

  init(_ texts: [String]) {
    pointers = .allocate(capacity: max(texts.count, 1))
    pointers.initialize(repeating: nil)
    for (place, text) in texts.enumerated() { pointers[place] = UnsafePointer(strdup(text)) }
    count = texts.count
  }

  private let count: Int
  var keys: osm_keys { osm_keys(keys: pointers.baseAddress, count: count) }

  func free() {
    for pointer in pointers { Glibc.free(UnsafeMutablePointer(mutating: pointer)) }
    pointers.deallocate()
  }
}
