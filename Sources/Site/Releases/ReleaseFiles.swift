internal import Locking
import PrivacyMap
package import Service
import SpatialDatabase
package import WebServer

/// The built files of all releases that ran on this database lately, in the table `front_file`.
///
/// During a rolling upgrade, a page of one server requests its files from a server of another release, and a tab that
/// was open before an upgrade requests them afterwards. So each server stores its files before it accepts connections,
/// and looks there for a name that it does not know.
package final class ReleaseFiles: Feature {
  /// Days without a server of the release after which its files are deleted.
  static let days: Int64 = 30
  static let job = "front_files"

  private let database: Database
  private let environment: Environment
  private let files: StaticFiles
  /// Files of other releases that this server has sent.
  private let sent = Locked<[String: StaticFile]>([:])

  package init(_ instance: Instance) throws {
    (database, environment) = (instance.database, instance.environment)
    files = try instance.given(ProgramFiles.self).front
    try keep()
  }

  package var jobs: [Job] { [Job(Self.job, every: .days(1), run: renew)] }

  /// Stores the files of this release.
  private func keep() throws {
    let own = files.builtFiles
    // A command serves no browser.
    guard !own.isEmpty, !database.servesNobody else { return }
    let now = environment.now()
    try database.write { connection in
      let known = Set(try connection.rows("SELECT name FROM front_file") { $0.text(0) })
      for (name, file) in own {
        let isKnown = known.contains(name)
        try connection.execute(
          isKnown
            ? "UPDATE front_file SET seen_at = ? WHERE name = ?"
            : """
            INSERT INTO front_file (seen_at, name, content) VALUES (?, ?, ?)
            ON CONFLICT (name) DO NOTHING
            """,
          [.text(now.text), .text(name)] + (isKnown ? [] : [.blob(file.stored)]))
      }
    }
  }

  /// Records that this release still runs, and deletes files of releases that have not run for a while.
  @Sendable private func renew() throws {
    try keep()
    let limit = environment.now().later(-Seconds.days(Self.days))
    try database.write {
      try $0.execute("DELETE FROM front_file WHERE seen_at < ?", [.text(limit.text)])
    }
  }

  /// The file of another release; nil if no such release ran lately.
  @Sendable package func file(_ name: String) throws -> StaticFile? {
    guard Self.isName(name) else { return nil }
    if let known = sent.withLock({ $0[name] }) { return known }
    let content = try database.readQuickly { connection in
      try connection.rows("SELECT content FROM front_file WHERE name = ?", [.text(name)]) {
        $0.blob(0)
      }.first
    }
    guard let content else { return nil }
    let file = StaticFile(stored: content, mediaType: MediaType.of(name))
    sent.withLock { if $0.count < 1_000 { $0[name] = file } }
    return file
  }

  private static func isName(_ text: String) -> Bool {
    (3...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
        default: false
        }
      }
  }
}
