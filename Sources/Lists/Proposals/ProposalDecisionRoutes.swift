import Accounts
import Devices
import JSON
import Moderation
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/moderation/proposals`: moderators decide about proposed lists.
struct ProposalDecisionRoutes: Sendable {
  let decisions: ProposalDecisions
  private var map: LiveMap { decisions.map }
  private var store: ProposalStore { ProposalStore() }

  private static let path = "/api/moderation/proposals"
  private static let tag = "Moderation"

  var endpoints: [Endpoint] {
    let shown = Endpoint.Answer.ok("The proposal as it is now.", schema: "proposal")
    return [
      Endpoint(
        "getProposalQueue", .get, Self.path, tag: Self.tag,
        summary:
          "Proposed lists: those that wait, oldest first, or the decided ones, newest first.",
        access: .moderator,
        parameters: [
          .query("state", .oneOf(["open", "decided"]), "Default: `open`.")
        ] + PageCursor.parameters("Proposals"),
        answers: [.ok("A page of proposals.", schema: "proposals")], .personal(list)),
      Endpoint(
        "decideProposal", .post, Self.path + "/{id}/decision", tag: Self.tag,
        summary: "Accept a proposed list whole or in part, or refuse it.", access: .moderator,
        parameters: [ProposalRoutes.id], body: .json("proposalDecision"),
        answers: [
          shown,
          .refusal(409, "Decided or withdrawn meanwhile, or an import is running; see `type`."),
        ], .long(decide)),
      Endpoint(
        "undoProposal", .post, Self.path + "/{id}/undo", tag: Self.tag,
        summary: "Undo the acceptance of a list. Devices that people have changed since remain.",
        access: .moderator, parameters: [ProposalRoutes.id],
        body: .json("why", limit: Endpoint.Body.smallLimit),
        answers: [
          shown, .refusal(409, "It is not accepted, or an import is running; see `type`."),
        ], .long(undo)),
    ]
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let state = request.query["state"] ?? "open"
    guard state == "open" || state == "decided" else {
      throw InvalidInput.unknownCode("state", state)
    }
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try PageCursor.rows(request.query["cursor"], count: 1)?.first
    return try map.database.read { connection in
      let found = try store.all(
        open: state == "open", after: last, limit: limit + 1, connection)
      return .json(
        ProposalRoutes.page(found, limit, for: principal, open: try store.open(connection)),
        as: ShownProposal.page)
    }
  }

  @Sendable private func decide(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["rows", "reason"])
    let reason = body.reason(isRequired: false)
    let rows = Self.rows(&body)
    try body.check()
    try decisions.decide(
      ProposalDecisions.Order(id: Self.id(of: request), rows: rows, reason: reason), by: principal)
    return try shown(request, principal)
  }

  /// The numbers of the rows to accept; nil if all are.
  private static func rows(_ body: inout RequestBody) -> Set<Int>? {
    guard let value = body.value("rows") else { return nil }
    let items = value.arrayValue ?? []
    let numbers = items.compactMap(\.intValue)
    guard value.arrayValue != nil, numbers.count == items.count else {
      body.fault("rows", Message("error.proposal.numbers"))
      return nil
    }
    if numbers.count > Proposal.maximum
      || numbers.contains(where: { !(1...Proposal.maximum).contains($0) })
    {
      body.refuse("rows", Message("error.proposal.no_row"))
    }
    return Set(numbers)
  }

  @Sendable private func undo(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    var body = try RequestBody(request, ["reason"])
    let reason = body.reason()
    try body.check()
    try decisions.undo(Self.id(of: request), reason: try reason.given(), by: principal)
    return try shown(request, principal)
  }

  private static func id(of request: Request) -> String {
    let id = request.parameter("id")
    return DeviceID(text: id)?.text ?? id
  }

  private func shown(_ request: Request, _ principal: Principal) throws -> Response {
    let proposal = try map.database.read { try store.one(Self.id(of: request), $0) }
    guard let proposal else { throw ProposalRoutes.notFound }
    return .json(ShownProposal(proposal, for: principal), as: ShownProposal.shape)
  }
}
