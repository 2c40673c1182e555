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
      database with PostGIS. Stop the server first: the copy contains nothing that is written later. Photos and \
      snapshots move from their folders into PostgreSQL, or back. docs/how-to/postgresql.md lists what is not copied.

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
    let database = try InstanceDatabase.openToRead(source)
    let files = files(of: source, target, reader)
    let copy = InstanceCopy(of: database, migrations: home.migrations.path, files: files)
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
    guard let files else { return }
    print("\(files.pictures) photos and \(files.nightlyFiles) files of snapshots and tiles copied")
    if files.missing > 0 {
      print(
        "\(files.missing) of them are missing or modified in the source; farol check reports them")
    }
  }

  /// The files, which are in folders of that one of the two that is on SQLite.
  private func files(
    of source: DatabaseLocation, _ target: DatabaseLocation, _ reader: SettingReader
  ) -> CopiedFiles? {
    if source.isOnServer && target.isOnServer { return nil }
    let place = InstanceDatabase.place(source.isOnServer ? target : source, options, reader)
    return CopiedFiles(media: place.media, snapshots: place.snapshots)
  }

  private func opened(_ target: DatabaseLocation) throws -> InstanceCopy.Target {
    guard target.isOnServer else { return .file(target.local) }
    return .server(try target.open(Database.Configuration()))
  }
}
