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
    .systemLibrary(
      name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
    .systemLibrary(name: "CGnuTLS", pkgConfig: "gnutls", providers: [.apt(["libgnutls28-dev"])]),
    .systemLibrary(
      name: "CSpatiaLite", pkgConfig: "spatialite",
      providers: [.apt(["libsqlite3-dev", "libspatialite-dev"])]),
    .systemLibrary(name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
    .systemLibrary(
      name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
    .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),
    .systemLibrary(
      name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-gnutls-dev"])]),
    .systemLibrary(
      name: "CGMime", pkgConfig: "gmime-3.0", providers: [.apt(["libgmime-3.0-dev"])]),
    .systemLibrary(name: "CCMark", pkgConfig: "libcmark", providers: [.apt(["libcmark-dev"])]),
    .target(name: "CConfinement"),
    .systemLibrary(
      name: "CPango", pkgConfig: "pangocairo", providers: [.apt(["libpango1.0-dev"])]),
    .systemLibrary(name: "CHeif", pkgConfig: "libheif", providers: [.apt(["libheif-dev"])]),
    .systemLibrary(name: "CGDAL", pkgConfig: "gdal", providers: [.apt(["libgdal-dev"])]),
    .systemLibrary(
      name: "CArchive", pkgConfig: "libarchive", providers: [.apt(["libarchive-dev"])]),
    // libosmium, which consists of C++ headers, behind one C function.
    .target(
      name: "OSMExtract", cxxSettings: [.define("NDEBUG")],
      linkerSettings: [.linkedLibrary("z"), .linkedLibrary("pthread")]),
    // Apache Arrow, which `make setup` puts into data/arrow, behind C functions. Installed programs have its libraries
    // next to them.
    .target(
      name: "ParquetFiles", cxxSettings: [.unsafeFlags(["-isystem\(arrow)/include"])],
      linkerSettings: [
        .unsafeFlags(["-L\(arrow)/lib", "-Xlinker", "-rpath=$ORIGIN/../../../data/arrow/lib"]),
        .linkedLibrary("parquet"), .linkedLibrary("arrow"),
      ]),
    // ICU, whose headers would collide with those of Foundation, behind C functions.
    .target(name: "CICU", linkerSettings: [.linkedLibrary("icuuc"), .linkedLibrary("icudata")]),
    .systemLibrary(name: "CPROJ", pkgConfig: "proj", providers: [.apt(["libproj-dev"])]),
    .systemLibrary(name: "CVips", pkgConfig: "vips", providers: [.apt(["libvips-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),

    // Locks, below all others (docs/decisions/0013).
    .target(name: "Locking", swiftSettings: strictAndFast),
    // Strangers to each other: none of these imports another on its row.
    .target(name: "JSON", swiftSettings: strictAndFast),
    // The sandbox of programs that read files of strangers, and their start.
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
    .target(
      name: "Import",
      dependencies: [
        "CharacterSets", "CLibXML2", "Compression", "JSON", "PrivacyMap", "Projections", "Spawning",
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
        "Import", "JSON", "Locking", "Mail", "Metrics", "PrivacyMap", "SafeFetch", "Secrets",
        "SpatialDatabase", "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strictAndFast),
    // Picture files, and the program that decodes pictures.
    .target(
      name: "Pictures",
      dependencies: [
        "JSON", "Metrics", "Secrets", "Service", "SpatialDatabase", "Spawning", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // Reference data: places and taxonomies.
    .target(
      name: "Reference",
      dependencies: [
        "JSON", "Locking", "PrivacyMap", "Service", "SpatialDatabase", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strictAndFast),

    // The streets on which the pages search for ways: their graph, built from extracts and served in pieces.
    .target(
      name: "Streets",
      dependencies: [
        "Compression", "Import", "JSON", "PrivacyMap", "Secrets", "Service", "TileArchives",
        "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strictAndFast),

    // The features, in layers. Each feature is a folder with routes, SQL and JSON.
    .target(
      name: "Accounts",
      dependencies: [
        "JSON", "Locking", "Mail", "Metrics", "PrivacyMap", "QRCode", "Secrets", "Service",
        "SpatialDatabase", "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "Devices",
      dependencies: [
        "Accounts", "CQL2", "Import", "JSON", "Locking", "Pictures", "PrivacyMap", "Reference",
        "Secrets", "Service", "SpatialDatabase", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "DevicePhotos",
      dependencies: [
        "Devices", "JSON", "Metrics", "Pictures", "PrivacyMap", "Secrets", "Service",
        "SpatialDatabase",
        "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "Moderation",
      dependencies: [
        "Accounts", "DevicePhotos", "Devices", "Import", "JSON", "Mail", "Pictures", "PrivacyMap",
        "Service",
        "SpatialDatabase", "WebServer",
      ],
      swiftSettings: strict),
    .target(
      name: "Rights",
      dependencies: [
        "Accounts", "Compression", "DevicePhotos", "Devices", "JSON", "Locking", "Mail",
        "Moderation",
        "PrivacyMap", "Reference", "SafeFetch", "Secrets", "Service", "SpatialDatabase",
        "WebServer",
      ],
      swiftSettings: strict),
    .target(
      name: "Reading",
      dependencies: [
        "Compression", "CQL2", "Devices", "Import", "JSON", "Locking", "Metrics", "PrivacyMap",
        "Reference", "Secrets", "Service", "SpatialDatabase", "TileArchives", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // The operators that devices name, each with a page.
    .target(
      name: "Operators",
      dependencies: [
        "Accounts", "Devices", "JSON", "Locking", "PrivacyMap", "Reference", "Rights", "Secrets",
        "Service", "SpatialDatabase", "WebServer",
      ],
      swiftSettings: strict),
    .target(
      name: "Watching",
      dependencies: [
        "Accounts", "Devices", "JSON", "Locking", "Moderation", "PrivacyMap", "Reading",
        "Reference", "SafeFetch", "Secrets", "Service", "SpatialDatabase", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "Visits",
      dependencies: [
        "Accounts", "Devices", "JSON", "Locking", "Moderation", "PrivacyMap", "Service",
        "SpatialDatabase", "WebServer", .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strictAndFast),
    .target(
      name: "MappingDays",
      dependencies: [
        "Accounts", "Devices", "JSON", "Locking", "PrivacyMap", "Reference", "Service",
        "SpatialDatabase", "Visits", "Watching", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "Site",
      dependencies: [
        "Accounts", "CCMark", "Compression", "Devices", "Drawing", "Import", "JSON", "Locking",
        "Mail",
        "Operators", "PrivacyMap", "QRCode", "Reading", "Reference", "Rights", "Secrets", "Service",
        "SpatialDatabase",
        "TileArchives", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // Lists of devices that people import, propose and repeat.
    .target(
      name: "Lists",
      dependencies: [
        "Accounts", "Devices", "Import", "JSON", "Locking", "Moderation", "PrivacyMap", "Reading",
        "SafeFetch", "Secrets", "Service", "SpatialDatabase", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    .target(
      name: "Operations",
      dependencies: [
        "Accounts", "DevicePhotos", "Devices", "JSON", "Lists", "Locking", "Metrics", "Moderation",
        "Pictures", "PrivacyMap", "Reading", "Rights", "Secrets", "Service", "SpatialDatabase",
        "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),
    // The list of features.
    .target(
      name: "App",
      dependencies: [
        "Accounts", "DevicePhotos", "Devices", "Import", "Lists", "Mail", "MappingDays",
        "Moderation", "Operations", "Operators", "PrivacyMap", "Reading", "Reference", "Rights",
        "Secrets", "Service", "Site", "SpatialDatabase", "Streets", "Visits", "Watching",
        "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // The command line: reads the configuration, connects the parts, starts.
    .executableTarget(
      name: "farol",
      dependencies: [
        "Accounts", "App", "CMalloc", "Confinement", "Devices", "Import", "JSON", "Lists",
        "Locking", "Mail", "Metrics", "Operations", "PrivacyMap", "Reading", "Service",
        "SpatialDatabase", "Streets", "WebServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      swiftSettings: strict),

    // Reads pictures that strangers send, in a process of its own; the server starts it.
    .executableTarget(
      name: "farol-image", dependencies: ["CHeif", "CVips", "Confinement"], swiftSettings: strict),

    // Reads lists in formats that need a library, in a process of its own; the server starts it.
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
        "Devices", "Import", "JSON", "Locking", "Metrics", "Operations", "PrivacyMap", "Reading",
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
      dependencies: ["SpatialDatabase", "Locking", "Metrics", "TestPostgreSQL"],
      swiftSettings: strict),
    // A real PostgreSQL for tests, as a child process.
    .target(
      name: "TestPostgreSQL", dependencies: ["Locking"], path: "Tests/TestPostgreSQL",
      exclude: ["cluster.py"], swiftSettings: strict),
    .testTarget(
      name: "PostgreSQLTests", dependencies: ["PostgreSQL", "Locking", "TestPostgreSQL"],
      swiftSettings: strict),
    .testTarget(
      name: "ImportTests", dependencies: ["CharacterSets", "Import", "JSON", "PrivacyMap"],
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
        "Accounts", "App", "Compression", "CQL2", "DevicePhotos", "Devices", "Drawing", "Import",
        "JSON", "Lists", "Locking", "Mail", "MappingDays", "Metrics", "Moderation", "Operations",
        "Operators",
        "Pictures", "PrivacyMap", "Reading", "Reference", "Rights", "SafeFetch", "Secrets",
        "Service", "Site", "SpatialDatabase", "Spawning", "Streets", "TestClient",
        "TestMailServer", "TestPostgreSQL", "TileArchives", "Visits", "Watching", "WebServer",
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

// Parsers under libFuzzer, which contains its own `main`; declared only for `make fuzz`.
if Context.environment["FAROL_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "farol-fuzz",
      dependencies: [
        "App", "CQL2", "Devices", "Import", "JSON", "Mail", "Pictures", "PostgreSQL",
        "PrivacyMap", "Service", "SpatialDatabase", "WebServer",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/Fuzz", exclude: ["seeds"], swiftSettings: strict))
}
