import ArgumentParser
import Foundation
import Operations
import SpatialDatabase

/// `farol copy FROM TO`: moves the database of an instance from SQLite to PostgreSQL, or back.
struct CopyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "copy", abstract: "Copy a database from SQLite to PostgreSQL, or back.",
    discussion: """
      FROM and TO are each a file or a URL postgresql://…. TO must be new: a file that does not exist, or an empty \
      database with PostGIS. Stop the server first: the copy contains nothing that is written later. Photos and other \
      files are not copied; docs/how-to/postgresql.md lists them.

      Examples:
        farol copy data/farol.db postgresql://farol@db.example.org/farol
        farol copy postgresql://farol@db.example.org/farol data/farol.db
      """)

  @Argument(help: "The database to copy: a file, or a URL postgresql://….")
  var from: String

  @Argument(help: "The new database: a file, or a URL postgresql://….")
  var to: String

  @OptionGroup var options: CommonOptions

  func run() throws {
    let reader = SettingReader(environment: ProcessInfo.processInfo.environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    let source = DatabaseLocation(from, options, reader)
    let target = DatabaseLocation(to, options, reader)
    guard !source.isSame(as: target) else {
      throw CommandFailure("FROM and TO are the same database")
    }
    guard source.isOnServer || target.isOnServer else {
      throw CommandFailure("FROM and TO are both files: use farol backup and farol restore")
    }
    let database = try Instance.openToRead(source)
    let copy = InstanceCopy(of: database, migrations: home.migrations.path)
    var rows = 0
    do {
      try copy.run(to: try opened(target)) { table in
        rows += table.rows
        print("\(table.table): \(table.rows) rows, checksum \(table.checksum)")
      }
    } catch let fault as DatabaseFault {
      throw CommandFailure("nothing was copied: \(fault.message)")
    } catch let failure as CopyFailure {
      throw CommandFailure("nothing was copied: \(failure)")
    }
    try database.close()
    print("\(rows) rows copied; both databases have equal rows in each table")
  }

  private func opened(_ target: DatabaseLocation) throws -> InstanceCopy.Target {
    guard target.isOnServer else { return .file(target.local) }
    return .server(try target.open(Database.Configuration()))
  }
}
