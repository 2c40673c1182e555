import Logging
import Pictures
import PrivacyMap
import Service
import SpatialDatabase

/// Erases pictures that can no longer be restored: the job ``job``, once a day.
package struct MediaSweep: Sendable {
  /// The kind of the job.
  package static let job = "erase photos"
  /// The interval after the last run.
  static let every = Duration.days(1)

  /// Seconds during which a file without a row may belong to a photo that is being added.
  private static let grace: Int64 = Seconds.day

  let database: Database
  let environment: Environment
  let pictures: any PictureStore

  /// Erases all pictures that are due.
  func run() throws {
    let now = environment.now()
    let files = try database.write { try MediaFiles().settle(now, $0) }
    try erase(files)
    try eraseStrangers(now)
  }

  /// Erases at once every picture of the photos that `files` belong to; used when devices are erased.
  package func erase(photosOf files: [String]) throws {
    let all = try database.read { try MediaFiles().unused(ofPhotosWith: files, $0) }
    try erase(all)
  }

  /// Files first, then their rows, so that an interrupted run is repeated.
  private func erase(_ files: [String]) throws {
    guard !files.isEmpty else { return }
    for file in files { pictures.erase(file) }
    try database.write { connection in
      try ErasureList.note(.picture, files, at: environment.now(), connection)
      for file in files { try MediaFiles().delete(file, connection) }
    }
  }

  /// Erases files without a row, as left behind by a crash.
  private func eraseStrangers(_ now: Timestamp) throws {
    for file in try MediaCheck(database: database, pictures: pictures).strangers()
    where file.writtenAt < now.secondsSinceEpoch - Self.grace {
      pictures.erase(file.name)
    }
  }
}
