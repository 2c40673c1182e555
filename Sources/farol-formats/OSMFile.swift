internal import Glibc
internal import OSMExtract

/// A file in OpenStreetMap's binary format.
struct OSMFile {
  private let options: Options

  init(_ options: Options) { self.options = options }

  func write(to output: Output) throws {
    try output.flush()
    var fault = [CChar](repeating: 0, count: 200)
    let texts = options.tests.map { test in test.texts.map { strdup($0) } }
    let keys = options.tests.map { strdup($0.key) }
    let lists = texts.map { list in
      let pointers = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(
        capacity: max(list.count, 1))
      for (place, text) in list.enumerated() { pointers[place] = UnsafePointer(text) }
      return pointers
    }
    defer {
      texts.joined().forEach { free($0) }
      keys.forEach { free($0) }
      lists.forEach { $0.deallocate() }
    }
    var tests: [osm_test] = []
    for (place, key) in keys.enumerated() {
      tests.append(
        osm_test(
          key: UnsafePointer(key), texts: UnsafePointer(lists[place]),
          text_count: texts[place].count))
    }
    // Kept alive until the call returns.
    let context = Unmanaged.passUnretained(output).toOpaque()
    let result = osm_extract(
      STDIN_FILENO, tests, tests.count, Limits.places, writeBytes, context, &fault, fault.count)
    try Self.check(result, fault)
  }

  /// - Throws: the refusal or failure that corresponds to a libosmium result.
  static func check(_ result: osm_result, _ fault: [CChar]) throws {
    let detail = String(
      decoding: fault.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    switch result {
    case OSM_DONE: return
    case OSM_STOPPED: throw Failure(sentence: "standard output cannot be written")
    case OSM_NO_MEMORY: throw Refusal(.memory)
    case OSM_TOO_MANY_PLACES: throw Refusal(.places)
    default: throw Refusal(.damaged, detail)
    }
  }
}

/// Passes bytes of libosmium on to the ``Output`` of the context.
func writeBytes(
  _ context: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<CChar>?, _ length: Int
) -> Int32 {
  guard let context, let bytes else { return 1 }
  let output = Unmanaged<Output>.fromOpaque(context).takeUnretainedValue()
  do {
    try output.write(
      UnsafeRawBufferPointer(UnsafeBufferPointer(start: bytes, count: length)))
    return 0
  } catch {
    return 1
  }
}
