import JSON
import WrittenValues

/// A statement of a file about itself.
package enum FileStatement: Equatable, Sendable {
  /// The list has more rows than the file. The text is the reason: a time limit, a maximum number of rows, or
  /// further pages.
  case incomplete(String)
  /// The file contains only changes since an earlier one.
  case changes
  /// The area that the file covers, in degrees.
  case area(west: Double, south: Double, east: Double, north: Double)
}

extension FileStatement {
  /// The own words of a file for a report; nil without words.
  static func words(_ text: String) -> String? {
    let clean = CleanText(text, limit: 300, lines: false).text
    return clean.isEmpty ? nil : clean
  }
}

/// The members of a JSON document by which services report that its list is only a part.
struct AnswerMembers {
  private var members: [(name: String, value: JSONValue)] = []

  /// Members with a larger value are not read.
  static let maxLength = 4_096

  /// Overpass; ArcGIS; OGC API, WFS and GeoServer; OData 2 to 4 and SensorThings; GraphQL; common forms of paging.
  private static let names = totals.union(unclearTotals).union(pagingMembers).union(pages)
    .union(flags).union(groups).union([
      "remark", "properties", "links", "next", "__next", "nextLink", "@iot.nextLink",
      "@odata.nextLink", "odata.nextLink", "nextPage", "next_page", "next_page_url", "nextPageUrl",
      "next_url", "nextUrl", "nextPageToken", "next_page_token", "nextToken", "next_token",
      "next_cursor", "nextCursor", "continuationToken", "resumptionToken",
    ])
  /// True if there are more rows.
  private static let flags: Set<String> = [
    "exceededTransferLimit", "hasMore", "has_more", "hasNext", "has_next", "hasNextPage",
    "has_next_page", "truncated", "isTruncated", "moreResults", "more_results",
  ]
  /// Objects with such members.
  private static let groups: Set<String> = [
    "paging", "pagination", "meta", "metadata", "_links", "_meta", "pageInfo", "page_info", "page",
  ]
  /// The number of pages, of which the file is one.
  private static let pages: Set<String> = [
    "total_pages", "totalPages", "page_count", "pageCount", "last_page", "lastPage", "num_pages",
    "numPages", "pages",
  ]

  /// Members with the number of rows of the whole list. `total` and `count` may count other things, so they are used
  /// only together with a paging member.
  private static let totals: Set<String> = [
    "numberMatched", "totalFeatures", "total_count", "totalCount", "nhits", "totalElements",
    "totalResults", "total_results", "totalRecords", "total_records", "totalRows", "total_rows",
    "totalItems", "total_items", "recordsTotal", "numFound", "@odata.count", "odata.count",
    "__count", "@iot.count",
  ]
  private static let unclearTotals: Set<String> = ["total", "count"]
  private static let pagingMembers: Set<String> = [
    "limit", "offset", "skip", "per_page", "perPage", "page_size", "pageSize", "page",
    "current_page", "currentPage", "pageNumber", "page_number", "parameters",
  ]

  static func isRead(_ name: String) -> Bool { names.contains(name) }

  mutating func add(_ name: String, _ bytes: [UInt8]) {
    guard let value = try? JSONValue(parsing: bytes, options: .lenient) else { return }
    members.append((name, value))
  }

  /// The reason why the list is incomplete; nil if no member states one. `rows` is the list's number of rows.
  func incompleteness(rows: Int) -> String? {
    let isPaged = members.contains { Self.pagingMembers.contains($0.name) }
    return members.lazy.compactMap { name, value in
      // Elasticsearch: {"total": {"value": 900, "relation": "eq"}}.
      guard Self.unclearTotals.contains(name), value["relation"] == nil else {
        return Self.reason(name, value, rows: rows)
      }
      return isPaged ? Self.shortage(name, value, rows: rows) : nil
    }.first
  }

  /// The reason if the list has more rows than the file.
  private static func shortage(_ name: String, _ value: JSONValue, rows: Int) -> String? {
    guard let all = number(value), all > rows else { return nil }
    return "“\(name)” is \(all), and the file has \(rows) rows"
  }

  private static func number(_ value: JSONValue) -> Int? {
    value.intValue ?? value.stringValue.flatMap { Int($0) } ?? value["value"]?.intValue
  }

  private static func reason(_ name: String, _ value: JSONValue, rows: Int) -> String? {
    switch name {
    case _ where totals.contains(name) || unclearTotals.contains(name):
      return shortage(name, value, rows: rows)
    case _ where pages.contains(name):
      return number(value).flatMap { $0 > 1 ? "“\(name)” is \($0), and the file is one page" : nil }
    case _ where pagingMembers.contains(name) && name != "page": return nil
    case "remark": return value.stringValue.flatMap { FileStatement.words($0) }
    case _ where flags.contains(name):
      return value.boolValue == true ? "“\(name)”: there are more rows" : nil
    case "properties":
      return value["exceededTransferLimit"].flatMap {
        reason("exceededTransferLimit", $0, rows: rows)
      }
    case "links":
      let isNext = (value.arrayValue ?? []).contains { $0["rel"]?.stringValue == "next" }
      return isNext || value["next"].map(isPage) == true ? "it names a next page" : nil
    case _ where groups.contains(name):
      return (value.objectValue?.members ?? []).lazy.compactMap { member in
        if pages.contains(member.key) || flags.contains(member.key) || groups.contains(member.key) {
          return reason(member.key, member.value, rows: rows)
        }
        if totals.contains(member.key) || unclearTotals.contains(member.key) {
          return shortage(member.key, member.value, rows: rows)
        }
        return member.key.lowercased().hasPrefix("next") && isPage(member.value)
          ? "it names a next page" : nil
      }.first
    case "next":
      // Not a date, such as the date of the next version.
      let isAddress = value.stringValue.map { $0.contains("/") || $0.contains("?") } ?? true
      return isAddress && isPage(value) ? "it names a next page" : nil
    default: return isPage(value) ? "it names a next page" : nil
    }
  }

  private static func isPage(_ value: JSONValue) -> Bool {
    switch value {
    case .string(let text): !text.isEmpty
    case .integer(let number): number > 0
    case .object(let members): !members.members.isEmpty
    default: false
    }
  }
}
