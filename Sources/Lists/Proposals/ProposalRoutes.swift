import Contributions
import Devices
import Import
import JSON
import PrivacyMap
import Service
import SpatialDatabase
import WebServer

/// `/api/proposals` and `/api/list-inspections`: contributors propose lists of devices.
struct ProposalRoutes: Sendable {
  let map: LiveMap
  let mappings: ImportMappings
  let limits: ContributionLimits
  /// The limit of how often an account may open a proposal, because it may have 500 rows.
  let looks: Throttle<Int64>
  let conversions: ConversionRoutes
  private var store: ProposalStore { ProposalStore() }

  static let path = "/api/proposals"
  static let id = Parameter.path("id", .text(maxLength: 100), "The UUID of the proposal.")
  static let notFound = NotFound(Message("error.not_found.proposal"))
  private static let tag = "Devices"

  var endpoints: [Endpoint] {
    conversions.endpoints + [
      Endpoint(
        "inspectProposedList", .post, "/api/list-inspections", tag: Self.tag,
        summary:
          "The format and the columns of a list, to write the mapping of a proposal. Nothing is stored.",
        access: .contributor(.contribute),
        body: .form("inspectionForm", limit: ProposalForm.limit, isStored: true),
        answers: [
          .ok(
            "The content of the list. If the file has several lists, `choices` names them and there are no columns.",
            schema: "importInspection")
        ], .long(inspect)),
      Endpoint(
        "addProposal", .post, Self.path, tag: Self.tag,
        summary: "Propose a list of at most 500 devices, or try it without storing anything.",
        access: .contributor(.contribute),
        body: .form("proposalForm", limit: ProposalForm.limit, isStored: true),
        answers: [
          .ok("With `dry_run`: the devices and the refused rows.", schema: "proposalTrial"),
          .created("The proposal, which waits for a moderator.", schema: "proposal"),
          .refusal(409, "Three proposals of the account wait for a decision."),
        ], .long(add)),
      Endpoint(
        "getProposals", .get, Self.path, tag: Self.tag, summary: "Your proposals, newest first.",
        access: .signedIn(.read), parameters: PageCursor.parameters("Proposals"),
        answers: [.ok("A page of proposals.", schema: "proposals")], .personal(list)),
      Endpoint(
        "getProposal", .get, Self.path + "/{id}", tag: Self.tag,
        summary: "One proposal with its devices, for its contributor and for moderators.",
        access: .signedIn(.read), parameters: [Self.id],
        answers: [.ok("The proposal.", schema: "proposal")], .slow(one)),
      Endpoint(
        "withdrawProposal", .delete, Self.path + "/{id}", tag: Self.tag,
        summary: "Withdraw a proposal that waits for a decision. It is deleted.",
        access: .signedIn(.contribute), parameters: [Self.id],
        answers: [
          .done("It is deleted."), .refusal(409, "A moderator has decided about it already."),
        ], .change(withdraw)),
    ]
  }

  @Sendable private func inspect(_ request: Request, _ caller: Caller) throws -> Response {
    try limits.spendList(try caller.signedIn())
    var limits = ListInspection.Limits()
    (limits.rows, limits.unpackedBytes) = (5_000, ProposalReading.unpackedBytes)
    limits.duration = .seconds(10)
    return try InspectionRoutes.answer(request, limits)
  }

  @Sendable private func add(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    try limits.spendList(principal)
    let form = try ProposalForm(request, mappings)
    if !form.isDryRun {
      // Again below, in the transaction.
      try map.database.read { try checkOpen(of: principal, $0) }
    }
    let reading = try ProposalReading(form.file, form.mapping, map)
    let findings = try map.database.read { connection in
      try ProposalCaution(map: map).findings(about: reading.devices, connection)
    }
    if form.isDryRun {
      let rows = zip(reading.devices, findings).enumerated().map { place, found in
        ProposedRow(number: place + 1, device: found.0, caution: found.1)
      }
      let trial = ProposalTrial(file: form.file.name, reading: reading, rows: rows)
      return .json(trial, as: ProposalTrial.shape)
    }
    guard !reading.devices.isEmpty else {
      throw InvalidInput.refused("file", "error.proposal.empty")
    }
    let now = map.environment.now()
    let new = ProposalStore.New(
      id: map.environment.newDeviceID().text, account: principal.account, form: form,
      reading: reading, findings: findings, at: now)
    let proposal = try map.database.write { connection in
      try checkOpen(of: principal, connection)
      try store.add(new, connection)
      return try store.one(new.id, connection)
    }
    guard let proposal else { throw Self.notFound }
    return Response.json(
      ShownProposal(proposal, for: principal), as: ShownProposal.shape, status: .created
    )
    .with("Location", "\(Self.path)/\(new.id)")
  }

  private func checkOpen(
    of principal: Principal, _ connection: borrowing Connection
  ) throws {
    guard try store.open(of: principal.account, connection) < Proposal.maxOpen else {
      throw Refusal(
        .conflict, "error.proposal.open", ["maximum": "\(Proposal.maxOpen)"], type: "too-many")
    }
  }

  @Sendable private func list(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    let limit = try PageCursor.limit(request.query["limit"])
    let last = try PageCursor.rows(request.query["cursor"], count: 1)?.first
    return try map.database.read { connection in
      let found = try store.all(
        of: principal.account, before: last, limit: limit + 1, connection)
      return .json(
        Self.page(
          found, limit, for: principal, open: try store.open(of: principal.account, connection)),
        as: ShownProposal.page)
    }
  }

  /// A page of proposals, of which one more than `limit` was read.
  static func page(
    _ found: [Proposal], _ limit: Int, for principal: Principal, open: Int64
  ) -> ListPage {
    let (shown, next) = PageCursor.cut(found, to: limit) { ["\($0.rowid)"] }
    return ListPage(
      shown.map { ShownProposal.shape.json(ShownProposal($0, for: principal)) }, next: next,
      counts: JSONObject([("open", .integer(open))]))
  }

  /// A proposal is shown to its contributor and to moderators; for others it does not exist.
  @Sendable private func one(_ request: Request, _ caller: Caller) throws -> Response {
    let principal = try caller.signedIn()
    try looks.spend(principal.account)
    let comparison = ProposalComparison(map: map)
    try comparison.refresh(map.database.readPrivate { try visible(request, principal, $0) })
    return try map.database.readPrivate { connection in
      let proposal = try visible(request, principal, connection)
      var rows = try store.rows(of: proposal.rowid, connection)
      if proposal.state == .open { try comparison.complete(&rows, connection) }
      return .json(ShownProposal(proposal, for: principal, rows: rows), as: ShownProposal.shape)
    }
  }

  private func visible(
    _ request: Request, _ principal: Principal, _ connection: borrowing Connection
  ) throws -> Proposal {
    let id = request.parameter("id")
    guard let proposal = try store.one(DeviceID(text: id)?.text ?? id, connection),
      proposal.account == principal.account || principal.moderates
    else { throw Self.notFound }
    return proposal
  }

  @Sendable private func withdraw(_ request: Request, _ caller: Caller) throws -> Endpoint.Change {
    let principal = try caller.signedIn()
    return { connection in
      let proposal = try visible(request, principal, connection)
      guard proposal.account == principal.account else { throw Self.notFound }
      guard proposal.state == .open else { throw Refusal.overtaken("error.act.decided_already") }
      try store.delete(proposal, at: map.environment.now(), connection)
      return Response(.noContent)
    }
  }
}
