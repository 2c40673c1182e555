import Devices
import JSON
import Locking
import PrivacyMap
import Reference
import Rights
import Service
import SpatialDatabase
import WebServer

/// `/api/operators/named`: the operators that devices name. The same for all callers.
struct NamedOperatorRoutes: Sendable {
  let operators: NamedOperators

  static let notThere = NotFound(Message("error.not_found.named_operator"))
  static let key = Parameter.path(
    "key", .text(maxLength: 400), "The key of an operator, or its name in any spelling.")

  var endpoints: [Endpoint] {
    [
      Endpoint(
        "getNamedOperators", "/api/operators/named", tag: NamedOperators.tag,
        summary: "The operators that devices on the map name, with their devices and towns.",
        parameters: [
          .query(
            "q", .text(maxLength: 100), "Only operators with words that begin like these."),
          .query(
            "order",
            .oneOf(OperatorDirectory.Order.allCases.map(\.rawValue), byDefault: "devices"),
            "Most devices first, most towns first, or by name."),
        ] + PageCursor.parameters("Operators"),
        answers: [.ok("A page of operators.", schema: "namedOperators")], list),
      Endpoint(
        "getNamedOperator", "/api/operators/named/{key}", tag: NamedOperators.tag,
        summary: "One operator that devices name: kinds of devices, data, towns, spellings.",
        parameters: [Self.key, .language(operators.catalogue.languages)],
        answers: [.ok("The operator.", schema: "namedOperator")], one),
    ]
  }

  @Sendable private func list(_ request: Request) throws -> Response {
    let limit = try PageCursor.limit(request.query["limit"])
    let name = request.query["order"] ?? OperatorDirectory.Order.devices.rawValue
    guard let order = OperatorDirectory.Order(rawValue: name) else {
      throw InvalidInput.unknownCode("order", name)
    }
    let words = request.query["q"].flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
    let after = try request.query["cursor"].map { text in
      let keys = try PageCursor(text: text).keys(count: 3)
      // A negative number could be one that has no opposite.
      guard keys[0] == name, let number = Int(keys[1]), number >= 0 else {
        throw InvalidInput("cursor", Message("error.cursor_of_another_list"))
      }
      return (number: number, key: keys[2])
    }
    return try operators.versions.answer(request) {
      // The words of every operator are compared.
      try SocketThread.leave()
      let directory = try operators.directory()
      let found = directory.entries(by: order, matching: words)
      let rest = found.drop { entry in
        guard let after else { return false }
        return (-order.number(entry), entry.key) <= (-after.number, after.key)
      }
      let shown = rest.prefix(limit)
      let next = rest.count > limit ? shown.last : nil
      let registered = try operators.registered()
      return .json(
        NamedOperatorJSON.Page(
          operators: shown.map {
            NamedOperatorJSON(entry: $0, registered: registered[$0.key])
          },
          totals: directory.totals, count: found.count,
          next: next.map { PageCursor(keys: [name, "\(order.number($0))", $0.key]).text }),
        as: NamedOperatorJSON.page)
    }
  }

  @Sendable private func one(_ request: Request) throws -> Response {
    let text = request.parameter("key")
    let exists = { try operators.directory().entry(named: text) != nil }
    return try operators.versions.answer(request, where: exists) {
      // Counting the devices of one operator visits all devices of the map.
      try SocketThread.leave()
      guard let entry = try operators.directory().entry(named: text) else { throw Self.notThere }
      return .json(
        try operators.details(of: entry, in: operators.catalogue.language(of: request)),
        as: NamedOperatorJSON.one)
    }
  }
}

extension OperatorDirectory.Order {
  /// The number by which an order sorts, largest first.
  fileprivate func number(_ entry: OperatorDirectory.Entry) -> Int {
    switch self {
    case .devices: entry.devices
    case .towns: entry.towns
    case .name: 0
    }
  }
}

extension NamedOperators {
  /// The towns of a page.
  private static let maxTowns = 50
  /// The spellings whose figures a page shows.
  private static let maxSpellings = 20

  /// The ids of approved organisations, by the keys of their names.
  func registered() throws -> [String: String] {
    let all = try map.database.readQuickly { try OrganisationStore.approvedNames($0) }
    let rulings = try directory().rulings
    return all.reduce(into: [:]) { found, one in
      guard let name = OperatorName(one.name) else { return }
      found[rulings.key(of: name)] = one.id
    }
  }

  func details(
    of entry: OperatorDirectory.Entry, in language: String
  ) throws -> NamedOperatorJSON.Details {
    let details = OperatorDetails(
      of: entry, in: map.index.snapshot, map.vocabulary, towns: try towns())
    let towns = try details.towns.prefix(Self.maxTowns).compactMap { town in
      try places?.place(id: town.id, language: language).map {
        NamedOperatorJSON.Town(place: $0, devices: town.devices)
      }
    }
    // Published figures belong to one spelling. They are not added up: a person may count in several.
    var keys: Set<String> = []
    let outcomes = try map.database.readQuickly { connection in
      try entry.spellings.prefix(Self.maxSpellings).compactMap { spelling in
        try OutcomeStore().outcome(.operator, spelling.name, connection)
      }
    }.filter { keys.insert($0.key).inserted }
    return NamedOperatorJSON.Details(
      shown: NamedOperatorJSON(entry: entry, registered: try registered()[entry.key]),
      details: details, towns: towns, outcomes: outcomes)
  }
}
