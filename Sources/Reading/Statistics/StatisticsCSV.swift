import Downloads
import Import
import PrivacyMap
import Service
import WebServer

/// Figures as a table (RFC 4180). Contains the last requested of groups, series and grid. Each row has
/// the area, if areas are compared, and the time of the figures.
struct StatisticsCSV {
  static let mediaType = "text/csv;charset=utf-8;header=present"

  static let workbookType = ExportFormat.xlsx.mediaType

  private let bytes: [UInt8]

  init(_ answer: StatisticsAnswer) {
    var table = CSVText(capacity: 4_096)
    if let grid = answer.grid, let zoom = answer.question.gridZoom {
      Self.write(grid, zoom: zoom, at: answer.at.text, to: &table)
    } else {
      Self.write(answer, to: &table)
    }
    bytes = table.bytes
  }

  private static func write(
    _ grid: PointGrid, zoom: Int, at moment: String, to table: inout CSVText
  ) {
    table.row(["zoom", "x", "y", "count", "generated_at"])
    for cell in grid.cells {
      table.row(["\(zoom)", "\(cell.x)", "\(cell.y)", "\(cell.count)", moment])
    }
  }

  private static func write(_ answer: StatisticsAnswer, to table: inout CSVText) {
    let at = answer.at.text
    let isCompared = !answer.areas.isEmpty
    let properties = answer.question.properties.map(\.rawValue)
    let isSeries = answer.intervals != nil
    let columns =
      isSeries
      ? ["start", "end", "added", "confirmed", "removed", "standing"]
      : properties.isEmpty ? Self.headline : ["count", "suppressed"]
    table.row((isCompared ? ["area"] : []) + properties + columns + ["generated_at"])
    let all = [(area: "", figures: answer.whole)] + answer.areas.map { ($0.area.id, $0.figures) }
    for (area, figures) in all {
      let rows = isSeries ? Self.steps(figures) : Self.groups(figures, of: properties)
      for row in rows { table.row((isCompared ? [area] : []) + row + [at]) }
    }
  }

  private static func steps(_ figures: StatisticsFigures) -> [[String]] {
    figures.series.map { step in
      step.keys.map { $0 ?? "" } + [step.start.text, step.end.text]
        + step.counts.map { "\($0.count)" }
    }
  }

  /// The columns for an area if neither groups nor a series are requested.
  private static let headline = [
    "total", "operator_known", "retention_known", "choice_offered", "square_kilometres",
    "devices_per_square_kilometre",
  ]

  /// Without a property, the whole is the only group, with the headline figures.
  private static func groups(_ figures: StatisticsFigures, of properties: [String]) -> [[String]] {
    guard !properties.isEmpty else {
      let said = figures.disclosure
      let counts = [said.total, said.operatorKnown, said.retentionKnown, said.choiceOffered]
      let sizes = [figures.squareKilometres, figures.density]
      return [counts.map { "\($0)" } + sizes.map { $0.map { "\($0)" } ?? "" }]
    }
    return figures.groups.map { $0.keys.map { $0 ?? "" } + ["\($0.count)", "false"] }
  }

  var response: Response {
    return Response.bytes(bytes, contentType: Self.mediaType)
      .with("Content-Disposition", "attachment; filename=\"statistics.csv\"")
  }

  /// The columns with numbers.
  private static let numbers =
    ["zoom", "x", "y", "count", "added", "confirmed", "removed", "standing"] + headline

  /// The same table as a workbook, with a sheet about it.
  ///
  /// - Throws: a 503 if the program that writes workbooks is missing or fails.
  func workbook(about answer: StatisticsAnswer) throws -> Response {
    let path: String
    do {
      path = try FormatProgram.besideThis.workbook(
        of: bytes, numbers: Self.numbers,
        about: [("generated_at", answer.at.text), ("definition", answer.definition)])
    } catch is ImportFailure { throw Refusal(.serviceUnavailable, "error.export_format") }
    guard let file = KeptFile(path: path, erases: true) else { throw Refusal.savingImpossible }
    return Response(
      headers: [
        "Content-Type": Self.workbookType,
        "Content-Disposition": "attachment; filename=\"statistics.xlsx\"",
      ], body: .pull({ try file.next() }, length: file.count))
  }
}
