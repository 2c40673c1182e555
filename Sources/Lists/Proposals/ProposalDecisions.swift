import Devices
import Import
import Moderation
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// Carries out the decisions of moderators about proposals.
struct ProposalDecisions: Sendable {
  /// A moderator's decision.
  struct Order: Sendable {
    let id: String
    /// The numbers of the rows to accept; nil for all.
    let rows: Set<Int>?
    let reason: String?
  }

  let map: LiveMap
  let worker: ImportWorker
  let mails: ProposalMails
  private var store: ProposalStore { ProposalStore() }
  private var runs: ImportRunStore { ImportRunStore() }

  /// The longest wait for another import.
  static let timeout = Duration.seconds(20)

  /// Accepts some rows of an open proposal and refuses the others.
  ///
  /// - Throws: a 403, 404 or 409 ``Refusal``, or a 422 that names `rows` or `reason`. Nothing has changed then.
  func decide(_ order: Order, by principal: Principal) throws {
    if order.rows?.isEmpty == true {
      return try map.database.write { connection in
        let (proposal, _) = try claim(order, by: principal, importRun: nil, connection)
        try mails.decided(proposal.id, connection)
      }
    }
    let done: Void? = try worker.perform(waiting: Self.timeout) { _ in
      try accept(order, by: principal)
    }
    guard done != nil else { throw Refusal(.conflict, "error.import.busy", type: "busy") }
  }

  /// Decides in one transaction, so that only one of several moderators can, and imports then.
  private func accept(_ order: Order, by principal: Principal) throws {
    let (proposal, devices, run) = try map.database.write { connection in
      guard let found = try store.one(order.id, connection) else { throw ProposalRoutes.notFound }
      let run = try runs.add(
        file: found.file, mapping: Self.code(of: found), by: principal.account, isDryRun: false,
        at: map.environment.now(), connection)
      try runs.keep(
        mapping: try store.mapping(of: found.rowid, connection), bytes: Int(clamping: found.bytes),
        of: run, connection)
      let (proposal, devices) = try claim(order, by: principal, importRun: run, connection)
      return (proposal, devices, run)
    }
    do {
      try WriteCondition.requiring(.caller, standing(of: principal).confirm) {
        try importRows(devices, of: proposal, as: run)
      }
    } catch {
      try WriteCondition.regardlessOfCaller {
        try map.database.write { try store.reopen(at: map.environment.now(), $0) }
      }
      throw error
    }
    try map.database.write { try mails.decided(proposal.id, $0) }
  }

  /// Checks and stores a decision.
  private func claim(
    _ order: Order, by principal: Principal, importRun: Int64?,
    _ connection: borrowing Connection
  ) throws -> (Proposal, [ImportedDevice]) {
    guard let proposal = try store.one(order.id, connection) else { throw ProposalRoutes.notFound }
    try Authority(actor: principal).checkNotOwn(proposal.account)
    guard proposal.state == .open else { throw Refusal.overtaken("error.act.decided_already") }
    let rows = try store.rows(of: proposal.rowid, connection)
    let accepted = order.rows ?? Set(rows.map(\.number))
    guard accepted.isSubset(of: rows.map(\.number)) else {
      throw InvalidInput.refused("rows", "error.proposal.no_row")
    }
    if accepted.count < rows.count, order.reason == nil {
      throw InvalidInput.refused("reason", "error.proposal.reason")
    }
    try store.decide(
      proposal.rowid, accepting: accepted, reason: order.reason, by: principal.account,
      importRun: importRun, at: map.environment.now(), connection)
    try AuditStore(environment: map.environment).note(
      accepted.isEmpty ? "refuse_list" : "accept_list", target: "proposal \(proposal.id)",
      by: "\(principal.account)", reason: order.reason, connection)
    return (proposal, rows.filter { accepted.contains($0.number) }.map(\.device))
  }

  /// Each proposal is a separate source, so that its devices keep their licence and no other list is changed.
  private static func code(of proposal: Proposal) -> String { "list-\(proposal.id)" }

  /// Imports rows in one transaction, as they are fewer than a portion of an import.
  private func importRows(
    _ devices: [ImportedDevice], of proposal: Proposal, as run: Int64
  ) throws {
    let source = SourceStore.Source(
      code: Self.code(of: proposal), name: proposal.source.name,
      licence: proposal.source.licence, attribution: proposal.source.attribution,
      url: proposal.source.url,
      isShareAlike: LicenceAddress.sharesAlike.contains(proposal.source.licence))
    var batch = ImportBatch(
      map: map, source: source, mapping: source.code, isDryRun: false, run: run
    ) { _, _ in }
    do {
      try batch.begin(file: proposal.file)
      for device in devices {
        batch.report.rows += 1
        batch.take(.device(device))
      }
      try batch.flush()
      try batch.settle()
      try batch.end(state: "done", error: nil)
    } catch {
      try batch.end(state: "failed", error: "\(error)")
      throw error
    }
  }

  /// Undoes the import of the accepted rows. Devices that people have changed since remain.
  ///
  /// - Throws: a 403, 404 or 409 ``Refusal``.
  func undo(_ id: String, reason: String, by principal: Principal) throws {
    let done: Void? = try worker.perform(waiting: Self.timeout) { _ in
      let (proposal, run) = try map.database.write { connection in
        try beginUndo(id, reason: reason, by: principal, connection)
      }
      try WriteCondition.requiring(.caller, standing(of: principal).confirm) {
        _ = try ImportUndo(map: map).undo(run)
      }
      try WriteCondition.regardlessOfCaller {
        try map.database.write { try mails.undone(proposal, reason: reason, $0) }
      }
    }
    guard done != nil else { throw Refusal(.conflict, "error.import.busy", type: "busy") }
  }

  /// A decision that is stored is carried out after the session of its moderator has ended, but not after a suspension.
  private func standing(of principal: Principal) -> AccountStanding {
    AccountStanding(of: principal.account, as: .moderator, now: map.environment.now)
  }

  private func beginUndo(
    _ id: String, reason: String, by principal: Principal, _ connection: borrowing Connection
  ) throws -> (Proposal, importRun: Int64) {
    guard let proposal = try store.one(id, connection) else { throw ProposalRoutes.notFound }
    try Authority(actor: principal).checkNotOwn(proposal.account)
    guard proposal.state == .accepted, let run = proposal.decision?.importRun,
      let (state, _) = try runs.state(of: run, connection), state == "done" || state == "failed"
    else { throw Refusal.overtaken("error.proposal.not_undoable") }
    try AuditStore(environment: map.environment).note(
      "undo_import", target: "import \(run)", by: "\(principal.account)", reason: reason,
      connection)
    return (proposal, run)
  }
}
