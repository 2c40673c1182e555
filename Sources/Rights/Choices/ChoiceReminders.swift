import Devices
import JSON
import PrivacyMap
import Service
import SpatialDatabase

/// Mails reminders of deadlines: before the day, on the day, and after it with the way to complain.
///
/// Each is sent once per deadline. After an outage of the server only the reminder that fits the
/// present day is sent, and earlier ones are skipped.
struct ChoiceReminders: Sendable {
  /// The kind of job.
  static let job = "choice_reminders"
  static let every = Duration.seconds(3_600)
  /// Days before the deadline at which the first reminder is sent.
  private static let ahead = 3
  /// Choices per transaction, so that other writes do not wait long.
  private static let portion = 100

  let choices: Choices

  enum Kind: String, CaseIterable, Sendable {
    case before, on, after

    /// The latest reminder that is due; nil if none is.
    init?(today: Day, lastDay: Day) {
      if today > lastDay {
        self = .after
      } else if today == lastDay {
        self = .on
      } else if today >= lastDay.adding(days: -ChoiceReminders.ahead) {
        self = .before
      } else {
        return nil
      }
    }

    var template: String { "choice_\(rawValue)" }
  }

  func run() throws {
    var count: Int
    repeat {
      count = try choices.database.write { connection in
        let waiting = try waiting(connection)
        for reminder in waiting { try send(reminder, connection) }
        return waiting.count
      }
    } while count == Self.portion
  }

  private struct Reminder {
    let rowid: Int64
    let id: String
    let lastDay: Day
    let kind: Kind
    let device: ChosenDevice
    let account: (rowid: Int64, email: String, username: String, locale: String)
  }

  /// The reminders that are due and have not been sent.
  private func waiting(_ connection: borrowing Connection) throws -> [Reminder] {
    let today = choices.today
    return try choices.store.remindersDue(
      ahead: Self.ahead, today: today, limit: Self.portion, connection
    ) { row -> Reminder? in
      let kept = ChosenDevice.kept(id: row.text(3), row.text(4))
      guard let day = Day(text: row.text(2)), let kind = Kind(today: today, lastDay: day) else {
        return nil
      }
      return Reminder(
        rowid: row.int(0), id: row.text(1), lastDay: day, kind: kind, device: kept,
        account: (row.int(5), row.text(6), row.text(7), row.text(8)))
    }.compactMap { $0 }
  }

  /// Queues the mail and records it in the same transaction, so that it is sent only once.
  private func send(_ reminder: Reminder, _ connection: borrowing Connection) throws {
    try choices.store.noteReminder(
      reminder.kind.rawValue, of: reminder.rowid, for: reminder.lastDay, connection)
    let account = reminder.account
    try choices.mails.add(
      OutgoingMail(
        to: account.email, language: account.locale, account: account.rowid,
        template: reminder.kind.template,
        arguments: [
          "username": account.username,
          "device": try choices.names.shown(
            reminder.device.named, in: account.locale, connection),
          "day": choices.catalogue.written(reminder.lastDay, in: account.locale),
        ], link: "/choices/\(reminder.id)"), connection)
  }
}

extension ChosenDevice {
  /// The device stored in a ledger; a device without a name if the text is unreadable.
  static func kept(id: String, _ json: String) -> ChosenDevice {
    let value = (try? JSONValue(parsing: Array(json.utf8))) ?? .null
    return ChosenDevice(id: id, kept: value) ?? ChosenDevice(id: id, name: "", category: "other")
  }
}
