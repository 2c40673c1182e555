import JSON
import WebServer

/// A page of features as a table; each row starts with a link to its feature.
struct FeatureTable {
  let features: [JSONValue]
  /// The path of the features: `/api/collections/{collectionId}/items`.
  let path: String
  let labels: any Labels
  let words: (_ key: String) -> String

  /// Whether a path belongs to devices, whose property names are translated.
  static func isOfDevices(_ path: String) -> Bool {
    path.hasPrefix("/api/collections/devices/")
  }

  /// Whether a path belongs to the device collection or its items.
  static func areDevices(_ path: String) -> Bool {
    ["/api/collections/devices", "/api/collections/devices/items"].contains(path)
  }

  private var isOfDevices: Bool { Self.isOfDevices(path) }

  /// The number of properties of a further collection in a row; the page of the feature shows all.
  private static let shownProperties = 6
  /// The maximum length of a value in a row, in characters.
  private static let shownCharacters = 120

  private struct Column {
    let name: String
    let text: (_ properties: JSONValue) -> String
  }

  var content: HTML {
    guard !features.isEmpty else {
      return "<p>\(words(isOfDevices ? "resource.none" : "resource.no_feature"))</p>"
    }
    let first = words(isOfDevices ? "resource.name" : "resource.feature")
    let columns = isOfDevices ? deviceColumns : propertyColumns
    let head = ([first] + columns.map(\.name)).map { "<th scope=\"col\">\($0)</th>" as HTML }
    let rows = features.map { row($0, columns) }
    return """
      <table class="resource-table"><thead><tr>\(HTML(joining: head))</tr></thead>
      <tbody>\(HTML(joining: rows))</tbody></table>
      """
  }

  private func row(_ feature: JSONValue, _ columns: [Column]) -> HTML {
    let id = feature["id"]?.stringValue ?? ""
    let properties = feature["properties"] ?? .null
    let cells = columns.map { column in
      "<td data-name=\"\(column.name)\">\(column.text(properties))</td>" as HTML
    }
    return """
      <tr><th scope="row"><a href="\(path)/\(PercentEncoding.component(id))?f=html">\
      \(properties["name"]?.stringValue ?? id)</a></th>\(HTML(joining: cells))</tr>
      """
  }

  private var deviceColumns: [Column] {
    [
      Column(name: words("resource.category")) {
        labels.label("categories", $0["category"]?.stringValue ?? "")
      },
      Column(name: words("resource.status")) {
        labels.label("statuses", $0["status"]?.stringValue ?? "")
      },
      Column(name: words("resource.operator")) { $0["operator"]?["name"]?.stringValue ?? "–" },
      Column(name: words("resource.updated_at")) { $0["updated_at"]?.stringValue ?? "" },
    ]
  }

  /// The first properties of the features, which all have the same properties.
  private var propertyColumns: [Column] {
    let names = features.first?["properties"]?.objectValue?.members.map(\.key) ?? []
    return names.filter { $0 != "name" }.prefix(Self.shownProperties).map { name in
      Column(name: name) { Self.text($0[name] ?? .null) }
    }
  }

  /// A short form of a value; a dash for no value.
  private static func text(_ value: JSONValue) -> String {
    if let text = value.stringValue {
      return text.count > shownCharacters ? text.prefix(shownCharacters) + "…" : text
    }
    if let scalar = value.scalarText { return scalar }
    guard let texts = value.arrayValue else { return "–" }
    return text(.string(texts.compactMap(\.stringValue).joined(separator: ", ")))
  }
}
