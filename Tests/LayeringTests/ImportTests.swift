import Foundation
import Testing

/// Imports point down, and every C library stays behind one target.
@Suite struct ImportTests {
  /// What each target may import of ours, and of C.
  private static let allowed: [String: Set<String>] = [
    "JSON": [],
    "Metrics": [],
    "Locking": [],
    "Compression": ["CZlib"],
    "PrivacyMap": [],
    "Secrets": ["CSodium", "CNettle"],
    "QRCode": ["CQREncode"],
    "WebServer": [
      "CGnuTLS", "CMicroHTTPD", "Compression", "JSON", "Locking", "Metrics", "Logging",
    ],
    "SpatialDatabase": ["CSpatiaLite", "Locking", "Metrics", "GRDB"],
    "Import": ["CLibXML2", "Compression", "JSON", "PrivacyMap"],
    "Mail": ["CCurl", "Locking", "PrivacyMap"],
    "CQL2": ["JSON", "PrivacyMap"],
    "TileArchives": ["Compression", "JSON", "Locking", "SpatialDatabase"],
    "MapAPI": [
      "WebServer", "SpatialDatabase", "PrivacyMap", "Import", "JSON", "Compression", "Secrets",
      "Mail", "QRCode", "CQL2", "Locking", "Metrics", "TileArchives", "Logging",
    ],
    "farol": [
      "MapAPI", "WebServer", "SpatialDatabase", "PrivacyMap", "Import", "JSON", "Compression",
      "Mail", "Locking", "Metrics", "ArgumentParser", "Logging", "CMalloc",
    ],
    "farol-image": ["CConfinement", "CHeif", "CVips"],
    "farol-bench": ["Locking", "MapAPI", "SpatialDatabase", "PrivacyMap", "Secrets"],
  ]
  /// What comes with Swift and may be imported anywhere.
  private static let system: Set<String> = [
    "Foundation", "FoundationEssentials", "Glibc", "Darwin", "Synchronization", "Dispatch",
  ]
  private static let behindOneTarget = [
    "CZlib": "Compression", "CMicroHTTPD": "WebServer", "CGnuTLS": "WebServer",
    "CSpatiaLite": "SpatialDatabase",
    "GRDB": "SpatialDatabase", "CLibXML2": "Import", "CMalloc": "farol",
    "CSodium": "Secrets", "CNettle": "Secrets", "CQREncode": "QRCode", "CCurl": "Mail",
    "CConfinement": "farol-image", "CHeif": "farol-image", "CVips": "farol-image",
  ]

  /// One import line.
  private struct Line {
    let target: String
    let file: String
    /// `package`, `internal`, `private` …; empty when none is written.
    let access: String
    let module: String
  }

  private let lines: [Line]

  init() throws {
    lines = try Repository.files(in: "Sources", endingIn: [".swift"]).flatMap { file in
      let target = String(file.path.split(separator: "/")[1])
      return file.lines.compactMap { Self.line($0, target: target, file: file.path) }
    }
  }

  private static func line(_ text: Substring, target: String, file: String) -> Line? {
    var words = text.split(separator: " ").filter { !$0.hasPrefix("@") }
    guard let place = words.firstIndex(of: "import"), place <= 1, words.count > place + 1 else {
      return nil
    }
    let access = place == 1 ? String(words[0]) : ""
    words = Array(words.dropFirst(place + 1))
    let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias", "var"]
    if let kind = words.first, kinds.contains(kind) { words = Array(words.dropFirst()) }
    guard let module = words.first?.split(separator: ".").first else { return nil }
    return Line(target: target, file: file, access: access, module: String(module))
  }

  @Test func `every target is known here`() {
    #expect(Set(lines.map(\.target)).subtracting(Self.allowed.keys).isEmpty)
    #expect(lines.count > 100)
  }

  @Test func `imports point down`() {
    for line in lines where !Self.system.contains(line.module) {
      let may = Self.allowed[line.target] ?? []
      #expect(may.contains(line.module), "\(line.file) imports \(line.module)")
    }
  }

  @Test func `the map does no input and no output`() {
    for line in lines where line.target == "PrivacyMap" {
      let isFree = ["Glibc", "Darwin", "Synchronization"].contains(line.module)
      #expect(isFree, "\(line.file) imports \(line.module)")
    }
  }

  @Test func `each C library and GRDB are imported by one target only, and stay inside it`() {
    for line in lines {
      guard let owner = Self.behindOneTarget[line.module] else { continue }
      #expect(line.target == owner, "\(line.file) imports \(line.module)")
      let isInside = ["", "internal", "private", "fileprivate"].contains(line.access)
      #expect(isInside, "\(line.file) shows \(line.module) to others")
    }
    for (module, owner) in Self.behindOneTarget {
      #expect(lines.contains { $0.module == module && $0.target == owner }, "\(module)")
    }
  }

  @Test func `locks are those of Locking, which the thread sanitizer sees`() throws {
    for file in try Repository.files(in: "Sources", endingIn: [".swift"])
    where !file.path.hasPrefix("Sources/Locking/") && !file.path.hasSuffix("/BareLocking.swift") {
      for (number, line) in file.lines.enumerated() {
        for name in [" Mutex(", " Mutex<", "NSLock", "pthread_mutex"] {
          #expect(!line.contains(name), "\(file.path):\(number + 1)")
        }
      }
    }
  }

  @Test func `the manifest lets no target depend on more than that`() throws {
    let manifest = try Repository.text("Package.swift")
    for (target, may) in Self.allowed {
      let start = try #require(
        manifest.range(of: "arget(name: \"\(target)\"")
          ?? manifest.range(of: "arget(\n      name: \"\(target)\""), "\(target)")
      let rest = manifest[start.upperBound...]
      let end = rest.range(of: "swiftSettings")?.lowerBound ?? rest.endIndex
      let named = rest[..<end].split(separator: "\"").enumerated()
        .filter { $0.offset % 2 == 1 }.map { String($0.element) }
      let packages: Set<String> = ["GRDB.swift", "swift-log", "swift-argument-parser"]
      #expect(Set(named).subtracting(packages).subtracting(may).isEmpty, "\(target)")
    }
  }
}
