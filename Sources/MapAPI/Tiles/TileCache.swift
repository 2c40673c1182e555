import Compression
internal import Locking
import Metrics
import WebServer

/// Tiles made lately, so that a place many look at is encoded once.
///
/// All of them are of one version of the map: with the first tile asked for of another, those of the
/// one before go, as none of them would be given again. There are two generations; when the younger
/// is full it becomes the elder and the elder is dropped, which is nearly what "least recently used"
/// keeps, without a list to maintain.
final class TileCache: Sendable {
  /// What a tile depends on.
  struct Key: Hashable, Sendable {
    let address: [Int]
    /// The filter's query, in canonical order.
    let filter: String
    let isCompressed: Bool

    /// A query in one order. No value holds a NUL, so no two filters have one text.
    static func canonical(_ query: Query) -> String {
      query.pairs.map { "\($0.name)=\($0.value)" }.sorted().joined(separator: "\0")
    }
  }

  private struct Generations {
    var version = ""
    var young: [Key: [UInt8]] = [:]
    var old: [Key: [UInt8]] = [:]
    var youngSize = 0
    var oldSize = 0
  }

  private let generations = Locked(Generations())
  private let capacity: Int
  /// Tiles that were there already, and those that had to be made.
  let hits = Counter()
  let misses = Counter()

  /// - Parameter capacity: bytes of tiles kept, at most.
  init(capacity: Int) {
    self.capacity = capacity
  }

  /// The tile of `key` at `version`, made now if there is none.
  func tile(_ key: Key, version: String, make: () throws -> [UInt8]) rethrows -> [UInt8] {
    let found = generations.withLock { generations -> [UInt8]? in
      if generations.version != version { generations = Generations(version: version) }
      return generations.young[key] ?? generations.old[key]
    }
    if let found {
      hits.add()
      return found
    }
    misses.add()
    let bytes = try make()
    keep(bytes, key, version)
    return bytes
  }

  /// The answer with the tile of `key`, whose plain bytes `make` makes; 204 for an empty one.
  func answer(_ key: Key, version: String, make: () throws -> [UInt8]) rethrows -> Response {
    let bytes = try tile(key, version: version) {
      let bytes = try make()
      // Less than this is not worth packing.
      return key.isCompressed && bytes.count >= 200 ? Gzip.compress(bytes, level: 5) : bytes
    }
    guard !bytes.isEmpty else { return .noContent }
    var response = Response.bytes(bytes, contentType: TileRoutes.mediaType)
    if Gzip.isGzip(bytes) { response.headers.add("Content-Encoding", "gzip") }
    response.mayCompress = false
    return response
  }

  /// Bytes that are kept, with what keeping them costs.
  var size: Int { generations.withLock { $0.youngSize + $0.oldSize } }

  private func keep(_ bytes: [UInt8], _ key: Key, _ version: String) {
    // What an entry costs besides its bytes: the key, its text and the two tables' slots.
    let size = bytes.count + key.filter.utf8.count + 200
    guard size < capacity / 8 else { return }
    generations.withLock { generations in
      // The map has changed while this one was made.
      guard generations.version == version else { return }
      if generations.youngSize + size > capacity / 2 {
        generations.old = generations.young
        generations.oldSize = generations.youngSize
        generations.young = [:]
        generations.youngSize = 0
      }
      if generations.young.updateValue(bytes, forKey: key) == nil { generations.youngSize += size }
    }
  }
}
