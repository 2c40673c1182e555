import Accounts
import PrivacyMap
import Service
import SpatialDatabase

/// The reports of scheduled imports to the admin who made the schedule, queued in the transaction of the result.
struct ImportScheduleMails: Sendable {
  let environment: Environment
  let queue: MailQueue
  let catalogue: Catalogue

  /// The counts of a report, in the order of its lines.
  private static let counts = ["rows", "added", "changed", "gone", "flagged", "refused"]

  /// The admin of a schedule; nil if the account is no longer an admin, is suspended or was deleted.
  func admin(
    of schedule: ImportSchedule, _ connection: borrowing Connection
  ) throws -> StoredAccount? {
    guard let rowid = schedule.account,
      let account = try AccountStore().account(rowid, connection), account.role == .admin,
      account.suspension(at: environment.now()) == nil
    else { return nil }
    return account
  }

  /// Reports a run that changed something, was held or failed. A mail is sent to a confirmed address only.
  func report(
    _ result: ImportScheduleStore.Result, of schedule: ImportSchedule, hasEnded: Bool,
    _ connection: borrowing Connection
  ) throws {
    guard let admin = try admin(of: schedule, connection), admin.isConfirmed else { return }
    let run = try result.importRun.flatMap { try ImportRunStore().run($0, connection) }
    let template: MailTemplate
    switch result.outcome {
    case .unchanged: return
    case .imported:
      guard let run, (run.counts["added"] ?? 0) + (run.counts["changed"] ?? 0) > 0 else { return }
      template = .importDone
    case .held: template = .importHeld
    case .failed: template = hasEnded ? .importEnded : .importFailed
    }
    try queue.add(
      OutgoingMail(
        to: admin.email, language: admin.locale, account: admin.rowid, template: template.rawValue,
        arguments: [
          "username": admin.username, "schedule": schedule.settings.name,
          "problem": result.problem.map { catalogue.text($0.message, in: admin.locale) } ?? "",
          "list": run.map { lines($0, admin.locale) } ?? "",
        ], link: result.importRun.map { "/admin/imports/\($0)" } ?? "/admin/imports"), connection)
  }

  private func lines(_ run: ImportRunStore.Run, _ language: String) -> String {
    Self.counts.map { name in
      catalogue.text(
        Message("mail.import.\(name)", ["count": "\(run.counts[name] ?? 0)"]), in: language)
    }.joined(separator: "\n")
  }
}
