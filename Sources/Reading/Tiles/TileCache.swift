import Compression
internal import Locking
package import Metrics
package import Service
import WebServer

/// A cache of recent tiles, so that a tile of a popular place is encoded once.
///
/// All cached tiles belong to one version of the map data. A request for another version clears the cache, because the
/// old tiles would never be used again. The cache has two generations: when the younger generation is full, it replaces
/// the older one and a new generation starts. This approximates "least recently used" without a list to maintain.
package final class TileCache: InstancePart {
  /// The parameters that determine a tile.
  struct Key: Hashable, Sendable {
    let address: [Int]
    /// The filter's query, in canonical order.
    let filter: String
    let isCompressed: Bool

    /// A query in canonical order. Values contain no NUL, so different filters have different texts.
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
  /// Tiles found in the cache, and tiles that had to be encoded.
  package let hits = Counter()
  package let misses = Counter()

  /// - Parameter capacity: the maximum size of cached tiles, in bytes.
  package init(capacity: Int = 12 << 20) {
    self.capacity = capacity
  }

  package convenience init(_ instance: Instance) { self.init() }

  /// The tile for `key` at `version`, encoded now if it is not cached.
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

  /// The response with the tile for `key`; `make` returns its uncompressed bytes. 204 if it is empty.
  func answer(_ key: Key, version: String, make: () throws -> [UInt8]) rethrows -> Response {
    let bytes = try tile(key, version: version) {
      let bytes = try make()
      // Smaller tiles are not worth compressing.
      return key.isCompressed && bytes.count >= 200 ? Gzip.compress(bytes, level: 5) : bytes
    }
    guard !bytes.isEmpty else { return .noContent }
    var response = Response.bytes(bytes, contentType: TileRoutes.mediaType)
    if Gzip.isGzip(bytes) { response.headers.add("Content-Encoding", "gzip") }
    response.mayCompress = false
    return response
  }

  /// The size of the cache in bytes, including the overhead of its entries.
  package var size: Int { generations.withLock { $0.youngSize + $0.oldSize } }

  private func keep(_ bytes: [UInt8], _ key: Key, _ version: String) {
    // The overhead of an entry: the key, its text and the slots in both tables.
    let size = bytes.count + key.filter.utf8.count + 200
    guard size < capacity / 8 else { return }
    generations.withLock { generations in
      // The map data has changed while this tile was encoded.
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
