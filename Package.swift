// swift-tools-version: 6.2
import PackageDescription

// Imports point down and a test reads the import lines (Tests/LayeringTests). Every C library stays
// behind the one target that imports it.

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "farol",
  products: [
    .executable(name: "farol", targets: ["farol"]),
    .executable(name: "farol-image", targets: ["farol-image"]),
  ],
  dependencies: [
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    // C libraries, as Debian packages.
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(
      name: "CSpatiaLite", pkgConfig: "spatialite",
      providers: [.apt(["libsqlite3-dev", "libspatialite-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
    .systemLibrary(name: "CConfinement"),
    .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Strangers to each other: none of these imports another on its row.
    .target(name: "JSON", swiftSettings: strict),
    .target(name: "Metrics", swiftSettings: strict),
    .target(name: "Locking", swiftSettings: strict),
    .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: strict),
    .target(name: "PrivacyMap", swiftSettings: strict),
    .target(name: "Secrets", dependencies: ["CSodium", "CNettle"], swiftSettings: strict),
    .target(name: "QRCode", dependencies: ["CQREncode"], swiftSettings: strict),

    .target(
      name: "WebServer",
      dependencies: [
        "CGnuTLS", "CMicroHTTPD", "Compression", "JSON", "Locking", "Metrics",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "SpatialDatabase",
      dependencies: [
        "CSpatiaLite", "Locking", "Metrics", .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict),
    .target(
      name: "Import", dependencies: ["CLibXML2", "Compression", "JSON", "PrivacyMap"],
      swiftSettings: strict),

    // Filters of OGC CQL2: text and JSON into one form.
    .target(name: "CQL2", dependencies: ["JSON", "PrivacyMap"], swiftSettings: strict),
    .target(name: "Mail", dependencies: ["CCurl", "Locking", "PrivacyMap"], swiftSettings: strict),
    // Files of ready-made map tiles.
    .target(
      name: "TileArchives", dependencies: ["Compression", "JSON", "Locking", "SpatialDatabase"],
      swiftSettings: strict),

    // The features of the map: routes, SQL, JSON.
    .target(
      name: "MapAPI",
      dependencies: [
        "WebServer", "SpatialDatabase", "PrivacyMap", "Import", "JSON", "Compression", "Secrets",
        "Mail", "QRCode", "CQL2", "Locking", "Metrics", "TileArchives",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Reads the configuration, wires, starts.
    .executableTarget(
      name: "farol",
      dependencies: [
        "MapAPI", "WebServer", "SpatialDatabase", "PrivacyMap", "Import", "JSON", "Mail",
        "Locking", "Metrics", "CMalloc",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Reads pictures that strangers send, in a process of its own; the server starts it.
    .executableTarget(
      name: "farol-image", dependencies: ["CConfinement", "CHeif", "CVips"], swiftSettings: strict),

    // What `make bench` holds the server against; not shipped.
    .executableTarget(
      name: "farol-bench",
      dependencies: ["Locking", "MapAPI", "PrivacyMap", "Secrets", "SpatialDatabase"],
      swiftSettings: strict),

    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(name: "LockingTests", dependencies: ["Locking"], swiftSettings: strict),
    .testTarget(name: "MetricsTests", dependencies: ["Metrics"], swiftSettings: strict),
    .testTarget(name: "CompressionTests", dependencies: ["Compression"], swiftSettings: strict),
    .testTarget(
      name: "PrivacyMapTests", dependencies: ["PrivacyMap", "JSON"], swiftSettings: strict),
    .testTarget(
      name: "CQL2Tests", dependencies: ["CQL2", "JSON", "PrivacyMap"], swiftSettings: strict),
    .testTarget(name: "SecretsTests", dependencies: ["Secrets"], swiftSettings: strict),
    .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], swiftSettings: strict),
    // A client that sends exactly the bytes it is told to, for tests of what goes over the wire.
    .target(name: "TestClient", path: "Tests/TestClient", swiftSettings: strict),
    .testTarget(
      name: "WebServerTests",
      dependencies: ["WebServer", "JSON", "Locking", "Metrics", "TestClient"],
      swiftSettings: strict),
    .testTarget(
      name: "SpatialDatabaseTests", dependencies: ["SpatialDatabase", "Locking", "Metrics"],
      swiftSettings: strict),
    .testTarget(
      name: "ImportTests", dependencies: ["Import", "JSON", "PrivacyMap"],
      resources: [.copy("Fixtures")], swiftSettings: strict),
    .testTarget(
      name: "TileArchivesTests",
      dependencies: ["TileArchives", "Compression", "SpatialDatabase"],
      swiftSettings: strict),
    // A real mail server for tests, as a child process.
    .target(
      name: "TestMailServer", path: "Tests/TestMailServer", exclude: ["mail_server.py"],
      swiftSettings: strict),
    .testTarget(
      name: "MailTests", dependencies: ["Locking", "Mail", "PrivacyMap", "TestMailServer"],
      exclude: ["site_server.py"], swiftSettings: strict),
    .testTarget(
      name: "MapAPITests",
      dependencies: [
        "MapAPI", "WebServer", "SpatialDatabase", "PrivacyMap", "Import", "JSON", "Compression",
        "Secrets", "QRCode", "Mail", "CQL2", "Locking", "Metrics", "TestMailServer", "TestClient",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "FarolImageTests", dependencies: ["farol-image", "Compression", "JSON", "TestClient"],
      swiftSettings: strict),
    .testTarget(name: "LayeringTests", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// Parsers under libFuzzer, which brings its own `main`: only there when `make fuzz` asks for it.
if Context.environment["FAROL_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "farol-fuzz",
      dependencies: [
        "MapAPI", "WebServer", "SpatialDatabase", "PrivacyMap", "Import", "JSON", "CQL2",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Fuzz", exclude: ["seeds"], swiftSettings: strict))
}
