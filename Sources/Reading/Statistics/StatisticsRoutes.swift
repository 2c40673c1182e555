import Devices
import JSON
import Locking
import PrivacyMap
import Reference
package import Service
import SpatialDatabase
import WebServer

/// `GET /api/statistics`: counts of devices, for any filter that a list accepts (docs/reference/statistics.md).
package struct StatisticsRoutes: Feature {
  package let store: StatisticsStore
  package let parameters: StatisticsParameters
  package let versions: AnswerVersions
  package let catalogue: Catalogue

  package init(_ instance: Instance) throws {
    store = StatisticsStore(
      devices: try instance.part(), countries: CountrySizes(try instance.map.countries),
      withheld: try instance.withheldOperators())
    parameters = StatisticsParameters(parameters: try instance.part())
    (versions, catalogue) = (instance.versions, instance.catalogue)
  }

  private static let formats = ContentNegotiation([
    .init("json", "application/json"), .init("csv", StatisticsCSV.mediaType),
    .init("xlsx", StatisticsCSV.workbookType),
  ])

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getStatistics", "/api/statistics", tag: "Statistics",
        summary: "Devices counted, by property, over time, by area, and in a grid.",
        parameters: parameters.declared + [
          .language(catalogue.languages), .format(["json", "csv", "xlsx"]),
        ],
        answers: [
          Endpoint.Answer(
            status: 200, description: "The figures.",
            content: [
              ("application/json", "statistics"), (StatisticsCSV.mediaType, nil),
              (StatisticsCSV.workbookType, nil),
            ])
        ], get)
    ]
  }

  package var schemas: [Schema] { StatisticsSchemas.all }

  @Sendable private func get(_ request: Request) throws -> Response {
    // All figures need a read of the database. A request without a known version would be parsed twice.
    if request.headers["If-None-Match"] == nil { try SocketThread.leave() }
    try Self.formats.check(request)
    try catalogue.checkLanguage(request)
    let format = try Self.formats.choose(for: request).format
    let language = catalogue.language(of: request)
    let today = store.devices.environment.now().day
    let question = try parameters.question(request.query, today: today, language: language)
    return try versions.answer(request) {
      var answer = try store.answer(question, today: today)
      answer.definition = definition(of: answer, in: language)
      switch format {
      case "csv": return StatisticsCSV(answer).response
      case "xlsx": return try StatisticsCSV(answer).workbook(about: answer)
      default: return answer.response
      }
    }
  }

  /// The explanation of the figures in a response.
  private func definition(of answer: StatisticsAnswer, in language: String) -> String {
    var keys = ["mail.statistics.devices"]
    if answer.question.properties.contains(where: \.overlaps) {
      keys.append("mail.statistics.overlap")
    }
    keys.append("mail.statistics.headline")
    let all = [answer.whole] + answer.areas.map(\.figures)
    if all.contains(where: { $0.squareKilometres != nil }) {
      keys.append("mail.statistics.density")
    }
    if answer.intervals != nil { keys.append("mail.statistics.series") }
    if answer.grid != nil { keys.append("mail.statistics.grid") }
    return keys.map { catalogue.text(Message($0), in: language) }.joined(separator: " ")
  }
}
