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

// Parsers and codecs, which tests call thousands of times, are optimized in debug builds too: the tests take a third
// less time. Overflow and bounds are checked as before.
let strictAndFast = strict + [.unsafeFlags(["-O"], .when(configuration: .debug))]

let arrow = "\(Context.packageDirectory)/data/arrow"

/// A C library of the system: its module map and headers are in `Sources/C`.
func library(_ name: String, _ pkgConfig: String? = nil, from packages: String...) -> Target {
  .systemLibrary(
    name: name, path: "Sources/C/\(name)", pkgConfig: pkgConfig,
    providers: packages.isEmpty ? nil : [.apt(packages)])
}

/// A target of features: folders with routes, SQL and JSON. It depends on `others` and on the targets that all
/// features share.
func feature(
  _ name: String, _ others: Target.Dependency..., swiftSettings: [SwiftSetting] = strict
) -> Target {
  let shared: [Target.Dependency] = [
    "JSON", "PrivacyMap", "Service", "SpatialDatabase", "WebServer",
    .product(name: "Logging", package: "swift-log"),
  ]
  return .target(name: name, dependencies: shared + others, swiftSettings: swiftSettings)
}

let package = Package(
  name: "farol",
  products: [
    .executable(name: "farol", targets: ["farol"]),
    .executable(name: "farol-image", targets: ["farol-image"]),
    .executable(name: "farol-formats", targets: ["farol-formats"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
  ],
  targets: [
    // C libraries, as Debian packages.
    library("CMicroHTTPD", "libmicrohttpd", from: "libmicrohttpd-dev"),
    library("CGnuTLS", "gnutls", from: "libgnutls28-dev"),
    library("CSpatiaLite", "spatialite", from: "libsqlite3-dev", "libspatialite-dev"),
    library("CPostgreSQL", "libpq", from: "libpq-dev"),
    library("CLibXML2", "libxml-2.0", from: "libxml2-dev"),
    library("CMalloc"),
    library("CNettle", "nettle", from: "nettle-dev"),
    library("CQREncode", "libqrencode", from: "libqrencode-dev"),
    library("CSodium", "libsodium", from: "libsodium-dev"),
    library("CCurl", "libcurl", from: "libcurl4-gnutls-dev"),
    library("CGMime", "gmime-3.0", from: "libgmime-3.0-dev"),
    library("CCMark", "libcmark", from: "libcmark-dev"),
    library("CPango", "pangocairo", from: "libpango1.0-dev"),
    library("CHeif", "libheif", from: "libheif-dev"),
    library("CGDAL", "gdal", from: "libgdal-dev"),
    library("CArchive", "libarchive", from: "libarchive-dev"),
    library("CPROJ", "proj", from: "libproj-dev"),
    library("CVips", "vips", from: "libvips-dev"),
    library("CZlib", "zlib", from: "zlib1g-dev"),
    .target(name: "CConfinement", path: "Sources/C/CConfinement"),
    // libosmium, which consists of C++ headers, behind one C function.
    .target(
      name: "OSMExtract", path: "Sources/C/OSMExtract", cxxSettings: [.define("NDEBUG")],
      linkerSettings: [.linkedLibrary("z"), .linkedLibrary("pthread")]),
    // Apache Arrow, which `make setup` puts into data/arrow, behind C functions. Installed programs have its libraries
    // next to them.
    .target(
      name: "ParquetFiles", path: "Sources/C/ParquetFiles",
      cxxSettings: [.unsafeFlags(["-isystem\(arrow)/include"])],
      linkerSettings: [
        .unsafeFlags(["-L\(arrow)/lib", "-Xlinker", "-rpath=$ORIGIN/../../../data/arrow/lib"]),
        .linkedLibrary("parquet"), .linkedLibrary("arrow"),
      ]),
    // ICU behind C functions, because its headers would collide with the Foundation headers.
    .target(
      name: "CICU", path: "Sources/C/CICU",
      linkerSettings: [.linkedLibrary("icuuc"), .linkedLibrary("icudata")]),

    // Locks, below all others (docs/decisions/0013).
    .target(name: "Locking", swiftSettings: strictAndFast),
    // Strangers to each other: none of these imports another on its row.
    .target(name: "JSON", swiftSettings: strictAndFast),
    // Starts the programs that read untrusted files, in a sandbox.
    .target(name: "Confinement", dependencies: ["CConfinement"], swiftSettings: strict),
    .target(name: "Spawning", swiftSettings: strict),
    .target(name: "Metrics", swiftSettings: strictAndFast),
    .target(name: "Compression", dependencies: ["CZlib"], swiftSettings: strictAndFast),
    // Encodings of text files, and their detection.
    .target(name: "CharacterSets", dependencies: ["CICU"], swiftSettings: strictAndFast),
    .target(name: "PrivacyMap", dependencies: ["Locking"], swiftSettings: strictAndFast),
    .target(name: "Secrets", dependencies: ["CSodium", "CNettle"], swiftSettings: strictAndFast),
    .target(name: "QRCode", dependencies: ["CQREncode"], swiftSettings: strict),
    // Pages and pictures with text of any script.
    .target(name: "Drawing", dependencies: ["CPango"], swiftSettings: strict),

    // Connections to PostgreSQL (docs/decisions/0020).
    .target(
      name: "PostgreSQL", dependencies: ["CPostgreSQL", "Locking"], swiftSettings: strictAndFast),
    // Coordinate systems other than WGS 84.
    .target(name: "Projections", dependencies: ["CPROJ", "Locking"], swiftSettings: strictAndFast),

    .target(
      name: "WebServer",
      dependencies: [
        "CGnuTLS", "CMicroHTTPD", "Compression", "JSON", "Locking", "Metrics",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strictAndFast),
    .target(
      name: "SpatialDatabase",
      dependencies: ["CSpatiaLite", "JSON", "Locking", "Metrics", "PostgreSQL", "PrivacyMap"],
      swiftSettings: strictAndFast),
    // Numbers, dates, directions and positions in the notations of lists.
    .target(
      name: "WrittenValues", dependencies: ["JSON", "PrivacyMap"], swiftSettings: strictAndFast),
    .target(
      name: "Import",
      dependencies: [
        "CharacterSets", "CLibXML2", "Compression", "JSON", "PrivacyMap", "Projections", "Spawning",
        "WrittenValues",
      ],
      swiftSettings: strictAndFast),

    // Filters of OGC CQL2: text and JSON into one form.
    .target(name: "CQL2", dependencies: ["JSON", "PrivacyMap"], swiftSettings: strictAndFast),
    .target(
      name: "Mail", dependencies: ["CCurl", "CGMime", "Locking", "PrivacyMap", "Spawning"],
      swiftSettings: strict),
    // Reads short files from web sites that users name.
    .target(name: "SafeFetch", dependencies: ["CCurl", "Locking"], swiftSettings: strict),
    // Files of ready-made map tiles.
    .target(
      name: "TileArchives",
      dependencies: ["Compression", "JSON", "Locking", "Secrets", "SpatialDatabase"],
      swiftSettings: strictAndFast),

    // Shared by all features: endpoints, access control, jobs, mail, translations, page templates.
    .target(
      name: "Service",
      dependencies: [
        "JSON", "Locking", "Mail", "Metrics", "PrivacyMap", "SafeFetch", "Secrets",
        "SpatialDatabase", "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strictAndFast),
    // Picture files, and the program that decodes pictures.
    .target(
      name: "Pictures",
      dependencies: [
        "JSON", "Metrics", "PrivacyMap", "Secrets", "Service", "SpatialDatabase", "Spawning",
        "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // Reference data: places and taxonomies.
    feature("Reference", "Locking", swiftSettings: strictAndFast),

    // The streets on which the pages search for ways: their graph, built from extracts and served in pieces.
    .target(
      name: "Streets",
      dependencies: [
        "Compression", "Import", "JSON", "PrivacyMap", "Secrets", "Service", "TileArchives",
        "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strictAndFast),

    // Filters of collections: their parameters, and their conditions in SQL.
    feature("Filters", "CQL2"),

    // The features, in layers. Each feature is a folder with routes, SQL and JSON.
    feature("Accounts", "Locking", "Mail", "Metrics", "QRCode", "Secrets"),
    feature(
      "Devices", "Accounts", "CQL2", "Filters", "Import", "Locking", "Pictures", "Reference",
      "Secrets"),
    // Requests of people that add, change and confirm devices.
    feature("Contributions", "Accounts", "Devices", "Filters", "Secrets"),
    feature("DevicePhotos", "Contributions", "Devices", "Metrics", "Pictures", "Secrets"),
    // Files of all devices: exports on request, and nightly files.
    feature(
      "Downloads", "Compression", "Devices", "Filters", "Import", "Locking", "Reference",
      "Secrets"),
    feature(
      "Moderation", "Accounts", "Contributions", "DevicePhotos", "Devices", "Import", "Mail",
      "Pictures"),
    feature(
      "Rights", "Accounts", "Compression", "Contributions", "Devices", "Locking", "Mail",
      "Moderation", "Reference", "SafeFetch", "Secrets"),
    feature(
      "Reading", "Compression", "CQL2", "Devices", "Downloads", "Filters", "Import", "Locking",
      "Metrics", "Reference", "Secrets", "TileArchives"),
    // The operators that devices name, each with a page.
    feature("Operators", "Accounts", "Devices", "Locking", "Reference", "Rights", "Secrets"),
    feature(
      "Watching", "Accounts", "Devices", "Locking", "Moderation", "Reading", "Reference",
      "SafeFetch", "Secrets"),
    feature("Visits", "Accounts", "Devices", "Locking", "Moderation", swiftSettings: strictAndFast),
    feature("MappingDays", "Accounts", "Devices", "Locking", "Reference", "Visits", "Watching"),
    feature(
      "Site", "Accounts", "CCMark", "Compression", "Devices", "Drawing", "Import", "Locking",
      "MappingDays", "Metrics", "Operators", "QRCode", "Reading", "Reference", "Rights", "Secrets",
      "TileArchives"),
    // Lists of devices that people import, propose and repeat.
    feature(
      "Lists", "Accounts", "Contributions", "Devices", "Import", "Locking", "Moderation",
      "Reading", "Reference", "SafeFetch", "Secrets"),
    feature(
      "Operations", "Accounts", "DevicePhotos", "Devices", "Downloads", "Lists", "Locking",
      "Metrics", "Moderation", "Pictures", "Reading", "Rights", "Secrets", "Watching"),
    // The list of features.
    .target(
      name: "App",
      dependencies: [
        "Accounts", "Contributions", "DevicePhotos", "Devices", "Downloads", "Import", "Lists",
        "Mail", "MappingDays", "Moderation", "Operations", "Operators", "PrivacyMap", "Reading",
        "Reference", "Rights",
        "Secrets", "Service", "Site", "SpatialDatabase", "Streets", "Visits", "Watching",
        "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // The command line: reads the configuration, connects the parts, starts.
    .executableTarget(
      name: "farol",
      dependencies: [
        "Accounts", "App", "CMalloc", "Confinement", "Devices", "Downloads", "Import", "JSON",
        "Lists", "Locking", "Mail", "Metrics", "Operations", "PrivacyMap", "Service",
        "SpatialDatabase", "Streets", "WebServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Reads uploaded pictures in a separate process, which the server starts.
    .executableTarget(
      name: "farol-image", dependencies: ["CHeif", "CVips", "Confinement"], swiftSettings: strict),

    // Reads lists in formats that need a library, in a separate process, which the server starts.
    .executableTarget(
      name: "farol-formats",
      dependencies: [
        "CArchive", "CGDAL", "CharacterSets", "Confinement", "JSON", "OSMExtract", "ParquetFiles",
      ],
      swiftSettings: strict),

    // The in-process baseline of `make bench`; not shipped.
    .executableTarget(
      name: "farol-bench",
      dependencies: [
        "Devices", "Downloads", "Filters", "Import", "JSON", "Locking", "PrivacyMap", "Reading",
        "Reference", "Secrets", "Service", "SpatialDatabase", "WebServer",
      ],
      swiftSettings: strict),

    .testTarget(name: "JSONTests", dependencies: ["JSON"], swiftSettings: strict),
    .testTarget(name: "LockingTests", dependencies: ["Locking"], swiftSettings: strict),
    .testTarget(name: "MetricsTests", dependencies: ["Metrics"], swiftSettings: strict),
    .testTarget(
      name: "CharacterSetsTests", dependencies: ["CharacterSets"], swiftSettings: strict),
    .testTarget(name: "CompressionTests", dependencies: ["Compression"], swiftSettings: strict),
    .testTarget(
      name: "PrivacyMapTests", dependencies: ["PrivacyMap", "JSON"], swiftSettings: strict),
    .testTarget(
      name: "CQL2Tests", dependencies: ["CQL2", "JSON", "PrivacyMap"], swiftSettings: strict),
    .testTarget(name: "SecretsTests", dependencies: ["Secrets"], swiftSettings: strict),
    .testTarget(name: "DrawingTests", dependencies: ["Drawing"], swiftSettings: strict),
    .testTarget(name: "QRCodeTests", dependencies: ["QRCode"], swiftSettings: strict),
    // A client that sends the exact bytes of a test.
    .target(name: "TestClient", path: "Tests/TestClient", swiftSettings: strict),
    .testTarget(
      name: "WebServerTests",
      dependencies: ["WebServer", "Compression", "JSON", "Locking", "Metrics", "TestClient"],
      swiftSettings: strict),
    .testTarget(
      name: "SpatialDatabaseTests",
      dependencies: [
        "SpatialDatabase", "JSON", "Locking", "Metrics", "PostgreSQL", "TestPostgreSQL",
      ],
      swiftSettings: strict),
    // A real PostgreSQL for tests, as a child process.
    .target(
      name: "TestPostgreSQL", dependencies: ["Locking"], path: "Tests/TestPostgreSQL",
      exclude: ["cluster.py"], swiftSettings: strict),
    .testTarget(
      name: "PostgreSQLTests", dependencies: ["PostgreSQL", "Locking", "TestPostgreSQL"],
      swiftSettings: strict),
    .testTarget(
      name: "WrittenValuesTests", dependencies: ["PrivacyMap", "WrittenValues"],
      swiftSettings: strict),
    .testTarget(
      name: "ImportTests",
      dependencies: ["CharacterSets", "Import", "JSON", "PrivacyMap", "WrittenValues"],
      resources: [.copy("Fixtures")], swiftSettings: strict),
    .testTarget(
      name: "TileArchivesTests",
      dependencies: ["TileArchives", "Compression", "SpatialDatabase"],
      swiftSettings: strict),
    // With the program `farol-formats`, which reads the extracts.
    .testTarget(
      name: "StreetsTests", dependencies: ["Import", "JSON", "Streets", "TileArchives"],
      swiftSettings: strict),
    // A real mail server and a real mailbox for tests, as child processes.
    .target(
      name: "TestMailServer", path: "Tests/TestMailServer",
      exclude: ["certificates.py", "mail_server.py", "mailbox_server.py"], swiftSettings: strict),
    .testTarget(
      name: "MailTests", dependencies: ["Locking", "Mail", "PrivacyMap", "TestMailServer"],
      swiftSettings: strict),
    .testTarget(
      name: "SafeFetchTests", dependencies: ["Locking", "SafeFetch"], exclude: ["site_server.py"],
      swiftSettings: strict),
    // The features, through the application that contains them all.
    .testTarget(
      name: "AppTests",
      dependencies: [
        "Accounts", "App", "Compression", "Contributions", "CQL2", "DevicePhotos", "Devices",
        "Downloads", "Drawing", "Filters", "Import", "JSON", "Lists", "Locking", "Mail",
        "MappingDays", "Metrics", "Moderation", "Operations",
        "Operators",
        "Pictures", "PrivacyMap", "Reading", "Reference", "Rights", "SafeFetch", "Secrets",
        "Service", "Site", "SpatialDatabase", "Spawning", "Streets", "TestClient",
        "TestMailServer", "TestPostgreSQL", "TileArchives", "Visits", "Watching", "WebServer",
        "WrittenValues",
        .product(name: "Logging", package: "swift-log"),
      ],
      exclude: ["Access/access.tsv", "Imports/list_server.py", "Watches/hook_server.py"],
      swiftSettings: strict),
    .testTarget(
      name: "FarolImageTests", dependencies: ["farol-image", "Compression", "JSON", "TestClient"],
      swiftSettings: strict),
    .testTarget(name: "LayeringTests", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx20
)

// `make build` builds all targets at the same time, so those that are not installed are left out.
if Context.environment["FAROL_INSTALLED_ONLY"] != nil {
  package.targets.removeAll {
    $0.type == .test || $0.name.hasPrefix("Test") || $0.name == "farol-bench"
  }
}

// Parsers under libFuzzer, which contains its own `main`; declared only for `make fuzz`.
if Context.environment["FAROL_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "farol-fuzz",
      dependencies: [
        "App", "Contributions", "CQL2", "Devices", "Filters", "Import", "JSON", "Mail",
        "Pictures", "PostgreSQL",
        "PrivacyMap", "Service", "SpatialDatabase", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Fuzz", exclude: ["seeds"], swiftSettings: strict))
}
