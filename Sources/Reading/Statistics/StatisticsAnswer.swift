import JSON
package import PrivacyMap
import WebServer

/// The complete answer to a question, and its JSON.
package struct StatisticsAnswer {
  let question: StatisticsQuestion
  let intervals: StatisticsIntervals?
  let at: Timestamp
  /// The figures for the whole filter.
  let whole: StatisticsFigures
  /// The figures for each compared area.
  var areas: [(area: StatisticsQuestion.Area, figures: StatisticsFigures)] = []
  var grid: PointGrid?
  var definition = ""

  var response: Response { .json(json) }

  /// The number of devices of the whole filter.
  package var total: Int { whole.disclosure.total }

  /// The groups by the first property, the largest first. The key of unknown values is nil.
  package var largestGroups: [(key: String?, count: Int)] {
    whole.groups.map { ($0.keys.first ?? nil, $0.count) }
  }

  /// The cells of the grid with devices.
  package var cells: [PointGrid.Cell] { grid?.cells ?? [] }

  /// The complete answer as JSON.
  package var json: [UInt8] {
    var json = JSONWriter(capacity: 4_096)
    json.beginObject()
    json.member("definition", definition)
    json.member("generated_at", at.text)
    json.key("group_by")
    json.strings(question.properties.map(\.rawValue))
    json.key("overlapping")
    json.strings(question.properties.filter(\.overlaps).map(\.rawValue))
    writeIntervals(to: &json)
    write(whole, to: &json)
    json.key("areas")
    json.beginArray()
    for (area, figures) in areas {
      json.beginObject()
      json.member("area", area.id)
      json.key("name")
      if let name = area.name { json.string(name) } else { json.null() }
      write(figures, to: &json)
      json.endObject()
    }
    json.endArray()
    json.key("grid")
    if let grid, let zoom = question.gridZoom {
      write(grid, zoom: zoom, to: &json)
    } else {
      json.null()
    }
    json.endObject()
    return json.bytes
  }

  private func writeIntervals(to json: inout JSONWriter) {
    func member(_ name: StaticString, _ text: String?) {
      json.key(name)
      if let text { json.string(text) } else { json.null() }
    }
    member("interval", intervals?.interval?.rawValue)
    member("from", intervals?.starts.first?.text)
    member("to", intervals.map { Day(daysSinceEpoch: $0.end.daysSinceEpoch - 1).text })
    member("time_zone", "UTC")
  }

  private func write(_ figures: StatisticsFigures, to json: inout JSONWriter) {
    json.key("total")
    let disclosure = figures.disclosure
    json.integer(disclosure.total)
    json.key("headline")
    json.beginObject()
    let said: [(StaticString, Int)] = [
      ("operator_known", disclosure.operatorKnown), ("retention_known", disclosure.retentionKnown),
      ("choice_offered", disclosure.choiceOffered),
    ]
    for (name, count) in said {
      write(name, Share(count: count, total: disclosure.total), to: &json)
    }
    json.endObject()
    json.key("square_kilometres")
    write(figures.squareKilometres, to: &json)
    json.key("devices_per_square_kilometre")
    write(figures.density, to: &json)
    json.key("groups")
    json.beginArray()
    for group in figures.groups {
      json.beginObject()
      write(group.keys, to: &json)
      json.member("count", group.count)
      json.member("suppressed", false)
      json.endObject()
    }
    json.endArray()
    json.key("rest")
    if let rest = figures.rest {
      json.value(["groups": .integer(Int64(rest.groups)), "count": .integer(Int64(rest.count))])
    } else {
      json.null()
    }
    json.key("series")
    json.beginArray()
    for step in figures.series { write(step, to: &json) }
    json.endArray()
  }

  private func write(_ step: StatisticsFigures.Step, to json: inout JSONWriter) {
    json.beginObject()
    write(step.keys, to: &json)
    json.member("start", step.start.text)
    json.member("end", step.end.text)
    for (name, count) in step.counts {
      json.key(name)
      json.integer(count)
    }
    json.endObject()
  }

  private func write(_ keys: [String?], to json: inout JSONWriter) {
    for (property, key) in zip(question.properties, keys) {
      json.key(property.rawValue)
      if let key { json.string(key) } else { json.null() }
    }
  }

  private func write(_ name: StaticString, _ share: Share, to json: inout JSONWriter) {
    json.key(name)
    json.beginObject()
    json.member("count", share.count)
    json.key("share")
    write(share.share, to: &json)
    json.endObject()
  }

  private func write(_ number: Double?, to json: inout JSONWriter) {
    if let number { json.double(number) } else { json.null() }
  }

  private func write(_ grid: PointGrid, zoom: Int, to json: inout JSONWriter) {
    json.beginObject()
    json.member("zoom", zoom)
    json.member("coarser", grid.coarser)
    json.key("cells")
    json.beginArray()
    for cell in grid.cells {
      json.beginObject()
      json.member("x", Int(cell.x))
      json.member("y", Int(cell.y))
      json.member("count", cell.count)
      json.endObject()
    }
    json.endArray()
    json.endObject()
  }
}

extension StatisticsFigures {
  /// Devices per square kilometre.
  var density: Double? {
    squareKilometres.flatMap { $0 > 0 ? Double(disclosure.total) / $0 : nil }
  }
}

extension StatisticsFigures.Step {
  /// The figures, in the order of responses.
  var counts: [(name: String, count: Int)] {
    [("added", added), ("confirmed", confirmed), ("removed", removed), ("standing", standing)]
  }
}
