import Devices
import Operators
import Service
import SpatialDatabase
import WebServer

/// `/sitemap.xml`: an index of the site maps of pages, places, operators and devices (sitemaps.org 0.9).
struct SiteMap {
  let store: DeviceStore
  let addresses: Addresses
  let versions: AnswerVersions
  let places: SiteMapPlaces
  let operators: NamedOperators
  /// The paths of the pages with the same content for all readers.
  let pages: [String]

  static let path = "/sitemap.xml"
  /// The name of the file with ``pages``, and the beginnings of the names of files with places and operators. The other
  /// files have the number of their range of devices.
  private static let nameOfPages = "pages"
  private static let nameOfPlaces = "places-"
  private static let nameOfOperators = "operators-"
  /// Higher numbers have no devices, because no instance is that large.
  private static let maxRanges: Int64 = 1_000_000

  func add(to router: inout Router) {
    router.get(Self.path) { request in try versions.answer(request) { Self.answer(try index()) } }
    router.get("/sitemaps/{file}") { request in
      let name = try Self.name(request.parameter("file"))
      return try versions.answer(request) {
        Self.answer(try file(name))
      }
    }
  }

  /// The name before `.xml`.
  ///
  /// - Throws: a 404 ``Problem``.
  private static func name(_ file: String) throws(Problem) -> String {
    let name = String(file.dropLast(4))
    let prefix = [nameOfPlaces, nameOfOperators].first { name.hasPrefix($0) }
    let digits = String(name.dropFirst(prefix?.count ?? 0))
    let isNumber =
      Int64(digits).map { (0..<maxRanges).contains($0) && "\($0)" == digits } ?? false
    guard file.hasSuffix(".xml"), name == nameOfPages || isNumber else {
      throw Problem(.notFound, "There is nothing at this address.")
    }
    return name
  }

  private func index() throws -> XMLText {
    let ranges = try store.database.read { try SiteMapStore().ranges($0) }
    let files =
      (0..<(try places.fileCount())).map { "\(Self.nameOfPlaces)\($0)" }
      + (0..<Self.files(try operators.pathsForSearchEngines().count)).map {
        "\(Self.nameOfOperators)\($0)"
      }
    var xml = Self.head("sitemapindex")
    for name in [Self.nameOfPages] + files + ranges.map({ "\($0)" }) {
      xml.raw("<sitemap>\n")
      xml.element("loc", addresses.url("/sitemaps/\(name).xml"))
      xml.raw("</sitemap>\n")
    }
    xml.raw("</sitemapindex>\n")
    return xml
  }

  private func file(_ name: String) throws -> XMLText {
    if let number = Int64(name) { return try devices(inRange: number) }
    if name.hasPrefix(Self.nameOfOperators) {
      return list(try operators(inFile: Int(name.dropFirst(Self.nameOfOperators.count)) ?? 0))
    }
    guard let number = Int(name.dropFirst(Self.nameOfPlaces.count)) else { return listOfPages }
    return list(try places.places(inFile: number).map { ("/places/\($0)", nil) })
  }

  private static func files(_ count: Int) -> Int {
    (count + SiteMapPlaces.size - 1) / SiteMapPlaces.size
  }

  private func operators(inFile number: Int) throws -> [(path: String, changedAt: String?)] {
    let paths = try operators.pathsForSearchEngines()
    guard number < Self.files(paths.count) else { return [] }
    return paths.dropFirst(number * SiteMapPlaces.size).prefix(SiteMapPlaces.size)
      .map { ("/operators/named/\($0)", nil) }
  }

  private var listOfPages: XMLText { list(pages.map { ($0, nil) }) }

  private func devices(inRange number: Int64) throws -> XMLText {
    let devices = try store.database.read { try SiteMapStore().devices(inRange: number, $0) }
    return list(devices.map { ("/devices/\($0.id)", $0.changedAt) })
  }

  private func list(_ entries: [(path: String, changedAt: String?)]) -> XMLText {
    var xml = Self.head("urlset")
    for (path, changedAt) in entries {
      xml.raw("<url>\n")
      xml.element("loc", addresses.url(path))
      if let changedAt { xml.element("lastmod", changedAt) }
      xml.raw("</url>\n")
    }
    xml.raw("</urlset>\n")
    return xml
  }

  private static func head(_ root: String) -> XMLText {
    var xml = XMLText()
    xml.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<")
    xml.plain(root)
    xml.attribute("xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9")
    xml.raw(">\n")
    return xml
  }

  private static func answer(_ xml: XMLText) -> Response {
    Response(headers: ["Content-Type": "application/xml"], body: .bytes(xml.bytes))
  }
}
