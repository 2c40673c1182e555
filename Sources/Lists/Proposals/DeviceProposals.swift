import Devices
import JSON
import PrivacyMap
package import Service
package import SpatialDatabase

/// Lists of devices that contributors propose and moderators accept.
package struct DeviceProposals: Feature {
  private let map: LiveMap
  private let routes: ProposalRoutes
  private let decisions: ProposalDecisions

  private let worker: ImportWorker

  /// Reopens proposals whose decision was interrupted when the program stopped.
  package init(_ instance: Instance) throws {
    let (imports, rates): (Imports, RateLimits) = (try instance.part(), instance.rates)
    (map, worker) = (imports.map, imports.worker)
    routes = ProposalRoutes(
      map: map, mappings: imports.mappings, limits: try instance.part(),
      looks: rates.limit("proposals.looks", 300, per: .seconds(600)),
      conversions: ConversionRoutes(
        turns: rates.limit("coordinates", 120, per: .seconds(600))))
    decisions = ProposalDecisions(
      map: map, worker: imports.worker,
      mails: ProposalMails(queue: instance.mails, catalogue: instance.catalogue))
    try reopen()
  }

  /// Reopens proposals whose decision a stop of a server interrupted.
  private func reopen() throws {
    let now = map.environment.now()
    try map.database.write { try ProposalStore().reopen(at: now, $0) }
  }

  package static let pending = [
    PendingCount("list", rows: "proposal WHERE state = 'open'", since: "created_at")
  ]

  package var endpoints: [Endpoint] {
    routes.endpoints + ProposalDecisionRoutes(decisions: decisions).endpoints
  }

  package var schemas: [Schema] {
    [
      ShownProposal.shape.component, ShownProposal.page.component, ShownProposal.row.component,
      ProposalTrial.shape.component,
    ] + ConversionRoutes.schemas
      + JSONSchema.named([
        "proposalForm": [
          "file": .file, "mapping_file": .text, "comment": JSONSchema.text.optional,
          "dry_run": JSONSchema.oneOf(["true", "false"]).optional,
        ],
        "proposalDecision": [
          "rows": JSONSchema.list(of: .integer(1...Int64(Proposal.maximum))).orNull.optional,
          "reason": JSONSchema.text(1...500).orNull.optional,
        ],
      ])
  }

  static let job = "forget_proposals"
  static let reopening = "end_broken_imports"

  package var jobs: [Job] {
    [
      Job(Self.job, every: .days(1)) { [map] in
        let now = map.environment.now()
        try map.database.write { try ProposalStore().deleteExpired(at: now, $0) }
      },
      // For a server that ends while others run.
      Job(Self.reopening, every: .seconds(600)) {
        try worker.endBroken()
        try reopen()
      },
    ]
  }

  package static let retention = [
    RetentionRule(
      code: "proposal_open", entry: "contributions",
      what: "proposed lists that no moderator has decided about",
      why: "so that a moderator can decide", period: .days(Proposal.openDays), job: job,
      due: "SELECT count(*) FROM proposal WHERE state = 'open' AND expires_at <= ?", limit: .now),
    RetentionRule(
      code: "proposal_decided", entry: "contributions",
      what: "proposed lists that a moderator has decided about",
      why: "so that the contributor can read the decision", period: .days(Proposal.decidedDays),
      job: job,
      due: "SELECT count(*) FROM proposal WHERE state <> 'open' AND expires_at <= ?", limit: .now),
  ]

  package static let logNames = [
    LogName("proposal") { "SELECT file FROM proposal WHERE id = \($0)" }
  ]

  package static let restores = RestoreRule.of(
    "contributions", ["proposal": .repeats([.proposal])])

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    entry.kind == .proposal ? try ProposalStore().delete(entry.id, connection) : nil
  }

  package static let exports = [
    ExportSection(
      name: "proposals",
      sql: """
        SELECT rowid, id, file, bytes, format, source_name, licence, attribution, url, comment, devices, state,
          created_at, expires_at, decided_at, reason, accepted
        FROM proposal WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
        """, start: [0],
      members: [
        ("id", .text), ("file", .text), ("bytes", .number), ("format", .text),
        ("source_name", .text), ("licence", .text), ("attribution", .text), ("url", .text),
        ("comment", .text), ("devices", .number), ("state", .text), ("created_at", .text),
        ("expires_at", .text), ("decided_at", .text), ("reason", .text), ("accepted", .number),
      ]),
    ExportSection(
      name: "proposed_devices",
      sql: """
        SELECT proposal_row.rowid, proposal.id, proposal_row.number, proposal_row.device, proposal_row.accepted
        FROM proposal_row JOIN proposal ON proposal.rowid = proposal_row.proposal_rowid
        WHERE proposal.account_rowid = ? AND proposal_row.rowid > ? ORDER BY proposal_row.rowid LIMIT ?
        """, start: [0],
      members: [
        ("proposal", .text), ("number", .number), ("device", .json), ("accepted", .flag),
      ], holdsPositions: true),
  ]

  package static let portions = [
    """
    DELETE FROM proposal_row WHERE rowid IN (
      SELECT proposal_row.rowid FROM proposal_row
      JOIN proposal ON proposal.rowid = proposal_row.proposal_rowid
      WHERE proposal.account_rowid = ? LIMIT 50)
    """
  ]

  /// The proposals of a deleted account are deleted. The devices of accepted rows remain, without its name, as all
  /// contributions do.
  package static func erase(
    _ account: ErasedAccount, _ connection: borrowing Connection
  ) throws {
    try connection.execute(
      "DELETE FROM proposal WHERE account_rowid = ?", [.integer(account.rowid)])
    try connection.execute(
      "UPDATE proposal SET decided_by = NULL WHERE decided_by = ?", [.integer(account.rowid)])
  }
}
