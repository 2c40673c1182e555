import ArgumentParser
import Foundation
import Operations
import Service
import WebServer

/// The settings of `farol serve`. Each is a flag or an environment variable of the same name.
struct ServeOptions: ParsableArguments {
  @OptionGroup var common: CommonOptions

  @Option("Address and port to listen on (FAROL_LISTEN; default 127.0.0.1:8080).", "host:port")
  var listen: String?

  @Option("The public URL of the instance (FAROL_BASE_URL; default http://host:port).", "url")
  var baseURL: String?

  @Option("The name of the instance (FAROL_NAME; default Farol).")
  var name: String?

  @Option("Contact address of the instance (FAROL_CONTACT).")
  var contact: String?

  @Option(
    """
    Contact for security reports, an e-mail or https address (FAROL_SECURITY_CONTACT; default: the contact, if \
    it is such an address).
    """, "address")
  var securityContact: String?

  @Option("Licence of contributed data (FAROL_LICENCE; default ODbL-1.0).")
  var licence: String?

  @Option(
    """
    View of the map on a first visit (FAROL_VIEW; default the devices of the reader's country).
    """, "lon,lat,zoom")
  var view: String?

  @Option(
    """
    Street maps: PMTiles or MBTiles files, or folders of them, separated by commas; street graphs beside them \
    (FAROL_STREETS; default: the folder streets beside the database).
    """, "files")
  var streets: String?

  @Option(
    """
    The folder of the web front (FAROL_FRONT; default: data/front, which set-up builds, if it exists, otherwise \
    public).
    """, "folder")
  var front: String?

  @Option(
    "The folder of nightly snapshots (FAROL_SNAPSHOTS; default: snapshots beside the database).",
    "folder")
  var snapshots: String?

  @Option(
    """
    A standby of PostgreSQL, as URL postgresql://…, for public pages while the primary does not answer \
    (FAROL_DATABASE_REPLICA; default: none).
    """, "url")
  var databaseReplica: String?

  @Option("The folder for daily backups (FAROL_BACKUPS; default: no backups).", "folder")
  var backups: String?

  @Option("Number of daily backups to keep (FAROL_BACKUPS_DAILY; default 7).", "n")
  var backupsDaily: String?

  @Option("Number of weekly backups to keep (FAROL_BACKUPS_WEEKLY; default 4).", "n")
  var backupsWeekly: String?

  @Option(
    """
    The program that reads photos (FAROL_IMAGE; default: farol-image beside this one).
    """, "file", name: "image-program")
  var imageProgram: String?

  @Option(
    """
    A base map of another server, with {z}, {x} and {y} (FAROL_TILE_URL). That server receives the IP addresses \
    of visitors, and pages inform them.
    """, "url")
  var tileURL: String?

  @Option("Attribution of these tiles (FAROL_TILE_ATTRIBUTION).", "text")
  var tileAttribution: String?

  @Option(
    """
    Aerial images that visitors may switch on (FAROL_SATELLITE; default none): a PMTiles or MBTiles file of \
    images, or an address of another server with {z}, {x} and {y}, or with the {TileMatrix}, {TileCol} and \
    {TileRow} of a WMTS. That server receives the IP addresses of visitors who switch them on.
    """, "file or url")
  var satellite: String?

  @Option(
    "Attribution of the aerial images (FAROL_SATELLITE_ATTRIBUTION; default that of the file).",
    "text")
  var satelliteAttribution: String?

  @Option("Highest zoom of that server, 0 to 22 (FAROL_SATELLITE_ZOOM; default 18).", "n")
  var satelliteZoom: String?

  @OptionGroup var mail: MailOptions

  @Option("Connection limit (FAROL_CONNECTIONS; default 4096).", "n")
  var connections: String?

  @Option(
    "Connection limit per address, per /64 for IPv6 (FAROL_CONNECTIONS_PER_ADDRESS; default 150).",
    "n")
  var connectionsPerAddress: String?

  @Option(
    """
    Seconds a minute for searches, filters, statistics and feeds of one network, 0 for no limit \
    (FAROL_READ_SECONDS; default 20).
    """, "n")
  var readSeconds: String?

  @Option(
    """
    Minimum number of people behind figures about people (FAROL_PEOPLE_MINIMUM; default 1000, at least 10).
    """, "n")
  var peopleMinimum: String?

  @Option("Minutes for the answer to the offer of a visit (FAROL_VISIT_MINUTES; default 30).", "n")
  var visitMinutes: String?

  @Option(
    """
    Access to /metrics (FAROL_METRICS): off, loopback (direct requests from this machine), or a required token, \
    which other users cannot see in the variable; default off.
    """, "off|loopback|token")
  var metrics: String?

  @Option(
    "Address blocks of proxies in front, separated by commas (FAROL_TRUSTED_PROXIES).", "cidr,…")
  var trustedProxies: String?

  @Option(
    """
    The scope of HSTS if the base URL is https (FAROL_HSTS): subdomains (this host and all its subdomains), or \
    host (only this host); default subdomains.
    """, "subdomains|host")
  var hsts: String?

  @Option(
    """
    Serve https with this certificate and its chain, a PEM file that SIGHUP reloads (FAROL_TLS_CERTIFICATE; \
    default: http, behind a proxy).
    """, "file")
  var tlsCertificate: String?

  @Option("Its key, a PEM file without a password (FAROL_TLS_KEY).", "file")
  var tlsKey: String?
}

/// The validated settings of `farol serve`.
struct Configuration {
  var database: DatabaseLocation
  /// The URL of a standby for public reads. Nil: none.
  var replica: String?
  var home: Home
  var front: URL
  var server: ServerConfiguration
  /// Nil: derived from the listening address of the server.
  var baseURL: String?
  var settings = InstanceSettings()
  /// Nil: a folder next to the database.
  var streets: [String]?
  var satellite: String?
  /// Nil: a folder next to the database.
  var media: String?
  /// Nil: a folder next to the database.
  var snapshots: String?
  /// Nil: no backups.
  var backups: String?
  /// Nil: the one next to this program.
  var imageProgram: String?
  var mail: MailSettings
  /// Access to the metrics of the instance.
  var metrics: MetricsAccess

  /// - Throws: ``InvalidSetting`` for the first invalid setting.
  init(_ options: ServeOptions, environment: [String: String]) throws {
    let reader = SettingReader(environment: environment)
    home = try Home(named: reader.text(options.common.home, "FAROL_HOME"))
    front =
      reader.text(options.front, "FAROL_FRONT").map { URL(fileURLWithPath: $0, isDirectory: true) }
      ?? home.front
    database = DatabaseLocation(options.common, reader)
    replica = try database.replica(options, reader)
    server = try Self.server(options, reader)
    baseURL = try reader.text(options.baseURL, "FAROL_BASE_URL").map(Self.checkedBaseURL)
    server.socket = ServiceNotification.socket(environment: environment)
    server.certificate = try Self.certificate(options, reader)
    server.secure = baseURL?.hasPrefix("https:") ?? (server.certificate != nil)
    server.securesSubdomains = try Self.securesSubdomains(options, reader)
    if server.certificate != nil, !server.secure {
      throw InvalidSetting(
        name: "FAROL_BASE_URL",
        problem: "“\(baseURL ?? "")” is not https, but FAROL_TLS_CERTIFICATE makes it so.")
    }
    settings.name = try reader.text(options.name, "FAROL_NAME").map(Self.name) ?? settings.name
    settings.contact = reader.text(options.contact, "FAROL_CONTACT")
    settings.securityContact = try Self.securityContact(options, reader)
    settings.licence = reader.text(options.licence, "FAROL_LICENCE") ?? settings.licence
    settings.peopleMinimum = try reader.integer(
      options.peopleMinimum, "FAROL_PEOPLE_MINIMUM", in: 10...1_000_000_000,
      byDefault: settings.peopleMinimum)
    settings.visitMinutes = try reader.integer(
      options.visitMinutes, "FAROL_VISIT_MINUTES", in: 5...1_440, byDefault: settings.visitMinutes)
    settings.readSeconds = try reader.integer(
      options.readSeconds, "FAROL_READ_SECONDS", in: 0...3_600, byDefault: settings.readSeconds)
    settings.liveListeners = server.connections / 2  // The others are for requests that end.
    settings.view = try reader.text(options.view, "FAROL_VIEW").map(Self.view) ?? settings.view
    settings.foreignTiles = try Self.foreignTiles(options, reader)
    switch try Self.satellite(options, reader) {
    case .file(let path): satellite = path
    case .server(let tiles): settings.foreignSatellite = tiles
    case nil: break
    }
    settings.satelliteAttribution = reader.text(
      options.satelliteAttribution, "FAROL_SATELLITE_ATTRIBUTION")
    mail = try MailSettings(options.mail, reader, instance: settings.name, baseURL: baseURL)
    metrics = try reader.text(options.metrics, "FAROL_METRICS").map(Self.metrics) ?? .nobody
    media = reader.text(options.common.media, "FAROL_MEDIA")
    snapshots = reader.text(options.snapshots, "FAROL_SNAPSHOTS")
    backups = reader.text(options.backups, "FAROL_BACKUPS")
    settings.backups = try Self.backupRules(options, reader)
    imageProgram = reader.text(options.imageProgram, "FAROL_IMAGE")
    if let imageProgram, !FileManager.default.isExecutableFile(atPath: imageProgram) {
      throw InvalidSetting(
        name: "FAROL_IMAGE", problem: "“\(imageProgram)” is no program that can be run.")
    }
    streets = try Self.streets(options, reader)
  }

  private static func server(
    _ options: ServeOptions, _ reader: SettingReader
  ) throws -> ServerConfiguration {
    let listen = reader.text(options.listen, "FAROL_LISTEN") ?? "127.0.0.1:8080"
    guard let colon = listen.lastIndex(of: ":"),
      let port = UInt16(listen[listen.index(after: colon)...])
    else {
      throw InvalidSetting(
        name: "FAROL_LISTEN",
        problem: "“\(listen)” is not an address and a port, as 127.0.0.1:8080.")
    }
    var host = String(listen[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    var server = ServerConfiguration(host: host.isEmpty ? "0.0.0.0" : host, port: port)
    server.connections = try reader.integer(
      options.connections, "FAROL_CONNECTIONS", in: 8...100_000, byDefault: server.connections)
    server.connectionsPerAddress = try reader.integer(
      options.connectionsPerAddress, "FAROL_CONNECTIONS_PER_ADDRESS", in: 1...100_000,
      byDefault: server.connectionsPerAddress)
    let proxies = reader.text(options.trustedProxies, "FAROL_TRUSTED_PROXIES") ?? ""
    server.trustedProxies = try proxies.split(separator: ",").map { text in
      guard let block = AddressBlock(text.trimmingCharacters(in: .whitespaces)) else {
        throw InvalidSetting(
          name: "FAROL_TRUSTED_PROXIES",
          problem: "“\(text)” is not an address block, as 10.0.0.0/8.")
      }
      return block
    }
    return server
  }

  private static func securesSubdomains(
    _ options: ServeOptions, _ reader: SettingReader
  ) throws -> Bool {
    let text = reader.text(options.hsts, "FAROL_HSTS") ?? "subdomains"
    guard ["subdomains", "host"].contains(text) else {
      throw InvalidSetting(
        name: "FAROL_HSTS", problem: "“\(text)” is neither subdomains nor host.")
    }
    return text == "subdomains"
  }

  private static func backupRules(
    _ options: ServeOptions, _ reader: SettingReader
  ) throws -> BackupRules {
    var rules = BackupRules()
    // The retention of backups must not exceed the period that the list of erasures covers.
    rules.daily = try reader.integer(
      options.backupsDaily, "FAROL_BACKUPS_DAILY", in: 1...366, byDefault: rules.daily)
    rules.weekly = try reader.integer(
      options.backupsWeekly, "FAROL_BACKUPS_WEEKLY", in: 0...52, byDefault: rules.weekly)
    return rules
  }

  /// Does not repeat an invalid value in the error, because it may be a token with a typing
  /// mistake.
  private static func metrics(_ text: String) throws -> MetricsAccess {
    guard let access = MetricsAccess(text) else {
      let lengths = MetricsAccess.tokenLengths
      throw InvalidSetting(
        name: "FAROL_METRICS",
        problem: """
          set off, loopback, or a token of \(lengths.lowerBound) to \(lengths.upperBound) letters, \
          digits and -._~+/=.
          """)
    }
    return access
  }
}
