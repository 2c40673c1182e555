import Foundation
import Testing

/// The targets of the project in layers. A target imports only targets of lower layers.
enum Layers {
  /// From the lowest layer to the highest. Targets of one layer do not import each other.
  static let all: [[String]] = [
    ["Locking"],
    [
      "CharacterSets", "Compression", "Confinement", "Drawing", "JSON", "Metrics", "PrivacyMap",
      "QRCode", "Secrets", "Spawning",
    ],
    ["PostgreSQL", "Projections", "WrittenValues"],
    ["CQL2", "Import", "Mail", "SafeFetch", "SpatialDatabase", "WebServer"],
    ["TileArchives"],
    ["Service"],
    ["Filters", "Pictures", "Reference", "Streets"],
    ["Accounts"],
    ["Devices"],
    ["Contributions"],
    ["DevicePhotos"],
    ["Downloads", "Moderation"],
    ["Reading", "Rights"],
    ["Operators"],
    ["Lists", "Visits", "Watching"],
    ["MappingDays"],
    ["Operations", "Site"],
    ["App"],
    ["farol", "farol-bench", "farol-formats", "farol-image"],
  ]

  /// The targets whose code answers requests: each folder in them is a feature, or what features share.
  static let features = [
    "Service", "Filters", "Pictures", "Reference", "Accounts", "Devices",
    "Contributions", "DevicePhotos", "Downloads", "Moderation", "Rights", "Reading", "Operators",
    "Site", "Streets", "Visits", "Watching", "Lists",
    "MappingDays", "Operations", "App",
  ]

  /// The layer of each target.
  static let height = Dictionary(
    uniqueKeysWithValues: all.enumerated().flatMap { layer in
      layer.element.map { ($0, layer.offset) }
    })

  /// The targets that may import a library from outside the project.
  static let owners: [String: Set<String>] = [
    "ArgumentParser": ["farol"],
    "CArchive": ["farol-formats"], "CCMark": ["Site"], "CConfinement": ["Confinement"],
    "CGDAL": ["farol-formats"], "OSMExtract": ["farol-formats"],
    "ParquetFiles": ["farol-formats"], "CCurl": ["Mail", "SafeFetch"],
    "CGMime": ["Mail"], "CGnuTLS": ["WebServer"], "CHeif": ["farol-image"],
    "CICU": ["CharacterSets"], "CLibXML2": ["Import"], "CMalloc": ["farol"],
    "CMicroHTTPD": ["WebServer"],
    "CNettle": ["Secrets"], "CPango": ["Drawing"], "CPostgreSQL": ["PostgreSQL"],
    "CPROJ": ["Projections"], "CQREncode": ["QRCode"],
    "CSodium": ["Secrets"], "CSpatiaLite": ["SpatialDatabase"], "CVips": ["farol-image"],
    "CZlib": ["Compression"],
    "Logging": Set(["WebServer", "farol"] + features),
  ]

  /// Modules of the system and of the toolchain, which any target may import.
  static let system: Set<String> = [
    "Foundation", "FoundationEssentials", "Glibc", "Synchronization", "Dispatch",
  ]

  /// The targets of ours that each target depends on, as the manifest declares them.
  static func dependencies() throws -> [(target: String, on: Set<String>)] {
    let manifest = try Repository.text("Package.swift")
    let shared = try #require(
      names(in: manifest, after: ["let shared: [Target.Dependency] = ["], to: "]"))
    return try all.joined().map { target in
      let calls = ["feature(\"\(target)\"", "feature(\n      \"\(target)\""]
      if let others = names(in: manifest, after: calls, to: ")") {
        return (target, shared.union(others))
      }
      let starts = ["arget(name: \"\(target)\"", "arget(\n      name: \"\(target)\""]
      let named = names(in: manifest, after: starts, to: "swiftSettings")
      return (target, try #require(named, "\(target)"))
    }
  }

  /// The targets of ours whose names stand between one of the starts and an end. Nil if no start is in the text.
  private static func names(in text: String, after starts: [String], to end: String)
    -> Set<String>?
  {
    guard let start = starts.lazy.compactMap({ text.range(of: $0) }).first else { return nil }
    let rest = text[start.upperBound...]
    let part = rest[..<(rest.range(of: end)?.lowerBound ?? rest.endIndex)]
    let quoted = part.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }
    return Set(quoted.map { String($0.element) }).intersection(height.keys)
  }
}
