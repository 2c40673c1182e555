import Import
import JSON
import Service
import WebServer

/// `/api/coordinate-conversions`: positions of a list in degrees, so that the page that makes a mapping can draw them.
struct ConversionRoutes: Sendable {
  /// The limit of conversions per account: PROJ opens a coordinate system in some ten milliseconds.
  let turns: Throttle<Int64>

  private static let maximum = 2_000

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "convertCoordinates", .post, "/api/coordinate-conversions", tag: "Devices",
        summary: "Positions in another coordinate system, in degrees. Nothing is stored.",
        access: .contributor(.contribute), body: .json("coordinates", limit: 256 << 10),
        answers: [.ok("The positions in degrees.", schema: "convertedCoordinates")],
        .slow(convert))
    ]
  }

  @Sendable private func convert(_ request: Request, _ caller: Caller) throws -> Response {
    try turns.spend(caller.signedIn().account)
    var body = try RequestBody(request, ["crs", "positions"])
    let code = body.text("crs", 1...200, isRequired: true) ?? ""
    var positions: [(Double, Double)?] = []
    if !body.has("positions") { body.fault("positions", Message("error.missing_member")) }
    if let given = body.value("positions") {
      let read = given.arrayValue.map { $0.map(Self.pair) }
      if let read, read.count <= Self.maximum, read.allSatisfy({ $0.isRead }) {
        positions = read.map(\.pair)
      } else {
        body.fault("positions", Message("error.type.positions", ["maximum": "\(Self.maximum)"]))
      }
    }
    try body.check()
    guard let converted = ConvertedPositions(positions, from: code) else {
      throw InvalidInput.refused("crs", "error.crs")
    }
    return .json(converted, as: Self.shape)
  }

  /// Two numbers, or null for a row without a position.
  private static func pair(_ json: JSONValue) -> (isRead: Bool, pair: (Double, Double)?) {
    if json.isNull { return (true, nil) }
    guard let numbers = json.arrayValue, numbers.count == 2, let x = numbers[0].numberValue,
      let y = numbers[1].numberValue
    else { return (false, nil) }
    return (true, (x, y))
  }

  static let shape = JSONShape<ConvertedPositions>(
    "convertedCoordinates", .text("crs", \.code), .text("name", \.name),
    .init("positions", .list(of: JSONSchema.list(of: .number).orNull)) {
      JSONValue.array(
        $0.positions.map { position in
          position.map { .array([.double($0.longitude), .double($0.latitude)]) } ?? .null
        })
    })

  static let schemas =
    JSONSchema.named([
      "coordinates": [
        "crs": .text, "positions": JSONSchema.list(of: JSONSchema.list(of: .number).orNull),
      ]
    ]) + [shape.component]
}
