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
    ["PostgreSQL", "Projections"],
    ["CQL2", "Import", "Mail", "SafeFetch", "SpatialDatabase", "WebServer"],
    ["TileArchives"],
    ["Service"],
    ["Pictures", "Reference", "Streets"],
    ["Accounts"],
    ["Devices"],
    ["DevicePhotos"],
    ["Moderation"],
    ["Reading", "Rights"],
    ["Operators"],
    ["Lists", "Site", "Visits", "Watching"],
    ["MappingDays"],
    ["Operations"],
    ["App"],
    ["farol", "farol-bench", "farol-formats", "farol-image"],
  ]

  /// The targets whose code answers requests: each folder in them is a feature, or what features share.
  static let features = [
    "Service", "Pictures", "Reference", "Accounts", "Devices", "DevicePhotos", "Moderation",
    "Rights", "Reading", "Operators", "Site", "Streets", "Visits", "Watching", "Lists",
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
    "Foundation", "FoundationEssentials", "Glibc", "Darwin", "Synchronization", "Dispatch",
  ]

  /// The targets of ours that each target depends on, as the manifest declares them.
  static func dependencies() throws -> [(target: String, on: Set<String>)] {
    let manifest = try Repository.text("Package.swift")
    return try all.joined().map { target in
      let start = try #require(
        manifest.range(of: "arget(name: \"\(target)\"")
          ?? manifest.range(of: "arget(\n      name: \"\(target)\""), "\(target)")
      let rest = manifest[start.upperBound...]
      let end = rest.range(of: "swiftSettings")?.lowerBound ?? rest.endIndex
      let named = rest[..<end].split(separator: "\"").enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      return (target, Set(named).intersection(height.keys))
    }
  }
}
