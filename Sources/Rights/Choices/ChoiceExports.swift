package import Service
import SpatialDatabase

extension Choices {
  package static let exports = [choices, choiceEvents, requests]

  private static let choices = ExportSection(
    name: "choices",
    sql: """
      SELECT rowid, id, device_id, device, kind, "right", letter, regime, country, language,
        state, last_day, deadline_basis, details, note, reminders, reply_link, created_at,
        updated_at
      FROM choice WHERE account_rowid = ? AND rowid > ? ORDER BY rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("device", .text), ("device_then", .json), ("kind", .text),
      ("right", .text), ("letter", .text), ("regime", .text), ("country", .text),
      ("language", .text), ("state", .text), ("last_day", .text), ("deadline_basis", .text),
      ("details", .json), ("note", .text), ("reminders", .flag), ("reply_link", .flag),
      ("created_at", .text), ("updated_at", .text),
    ])

  private static let choiceEvents = ExportSection(
    name: "choice_events",
    sql: """
      SELECT choice_event.rowid, choice.id, choice_event.event, choice_event.at,
        choice_event.said_by, choice_event.note, choice_event.reason, choice_event.channel,
        choice_event.received_on
      FROM choice_event JOIN choice ON choice.rowid = choice_event.choice_rowid
      WHERE choice.account_rowid = ? AND choice_event.rowid > ?
      ORDER BY choice_event.rowid LIMIT ?
      """, start: [0],
    members: [
      ("choice", .text), ("event", .text), ("at", .text), ("by", .text), ("note", .text),
      ("reason", .text), ("channel", .text), ("received_on", .text),
    ])

  /// Letters as sent and, if sent through Farol, their recipients.
  private static let requests = ExportSection(
    name: "requests",
    sql: """
      SELECT request.rowid, request.id, choice.id, request.subject, request.body, request.sent_at,
        organisation.name
      FROM request JOIN choice ON choice.rowid = request.choice_rowid
      LEFT JOIN organisation ON organisation.rowid = request.organisation_rowid
      WHERE choice.account_rowid = ? AND request.rowid > ? ORDER BY request.rowid LIMIT ?
      """, start: [0],
    members: [
      ("id", .text), ("choice", .text), ("subject", .text), ("body", .text), ("sent_at", .text),
      ("operator", .text),
    ])
}
