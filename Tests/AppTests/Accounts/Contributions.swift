import PrivacyMap
import SpatialDatabase

/// A person's contributions to the map, as in the database.
struct Contributions {
  let device: Int64
  let deviceID: String
}

extension TestApp {
  /// A person's device, edit, verdict, photo and flag, and one flag about the person.
  func contributions(of account: TestAccount, name: String = "Câmara") throws -> Contributions {
    let made = try device(name: name, longitude: -8.611, latitude: 41.147)
    let now = clock.now.text
    let rowid = made.rowid
    try database.write { connection in
      for sql in [
        "UPDATE device SET account_rowid = ? WHERE rowid = ?",
        "UPDATE revision SET account_rowid = ? WHERE device_rowid = ?",
      ] { try connection.execute(sql, [.integer(account.rowid), .integer(rowid)]) }
      try connection.execute(
        """
        INSERT INTO revision (device_rowid, number, kind, made_at, account_rowid, comment, before)
        VALUES (?, 2, 'edit', ?, ?, 'melhor nome', '{"name":"Camara"}')
        """, [.integer(rowid), .text(now), .integer(account.rowid)])
      try connection.execute("UPDATE device SET revision = 2 WHERE rowid = ?", [.integer(rowid)])
      try connection.execute(
        """
        INSERT INTO verdict (device_rowid, claim, account_rowid, verdict, basis, note, counts, made_at)
        VALUES (?, 'present', ?, 'confirm', 'seen', 'ainda lá', 1, ?)
        """, [.integer(rowid), .integer(account.rowid), .text(now)])
      for (place, state) in ["public", "waiting"].enumerated() {
        try connection.execute(
          """
          INSERT INTO photo (id, device_rowid, account_rowid, position, alt, state, file, width,
            height, created_at)
          VALUES (?, ?, ?, ?, 'Um poste', ?, ?, 10, 10, ?)
          """,
          [
            .text(environment.newDeviceID().text), .integer(rowid), .integer(account.rowid),
            .integer(Int64(place)), .text(state), .text("\(account.rowid)-\(rowid)-\(place)"),
            .text(now),
          ])
      }
    }
    try flag(by: account.rowid, about: nil, device: rowid, id: made.id, "gone", nil)
    try flag(by: nil, about: account.rowid, device: rowid, id: made.id, "spam", "upheld")
    return Contributions(device: rowid, deviceID: made.id)
  }

  private func flag(
    by author: Int64?, about: Int64?, device: Int64, id: String, _ reason: String,
    _ outcome: String?
  ) throws {
    try database.write { connection in
      try connection.execute(
        """
        INSERT INTO flag (id, kind, target_type, target_id, device_rowid, about_rowid,
          account_rowid, locale, reason, note, created_at, outcome)
        VALUES (?, 'flag', 'device', ?, ?, ?, ?, 'en', ?, 'uma nota', ?, ?)
        """,
        [
          .text(environment.newDeviceID().text), .text(id), .integer(device), SQLValue(about),
          SQLValue(author), .text(reason), .text(clock.now.text), SQLValue(outcome),
        ])
    }
  }
}
