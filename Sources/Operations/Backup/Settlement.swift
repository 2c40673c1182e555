package import Logging
package import PrivacyMap
package import Service
package import SpatialDatabase

/// Finishes a restore to an earlier time that PostgreSQL made itself: repeats later erasures, ends credentials that may
/// have been revoked since, and deletes mail that has already been sent.
package struct Settlement: Sendable {
  /// The number of public devices.
  package let devices: Int
  /// The number of objects that were erased again because people had erased them since.
  package let erasedAgain: Int
  /// Whether a list of erasures was available.
  package let knewErasures: Bool

  /// Settles a migrated database. It can be repeated after an interruption.
  ///
  /// - Parameters:
  ///   - database: the restored database.
  ///   - folders: the folders of the program and of the instance.
  ///   - erasures: the erasures since the time of the restore. Erasures from other servers become part of the own list.
  ///   - environment: the clock.
  ///   - logger: for warnings about the folders.
  ///   - opening: opens the application.
  /// - Throws: ``DatabaseFault``, or a fault of the files.
  package init(
    _ database: Database, _ folders: Folders, erasures: ErasureList, environment: Environment,
    logger: Logger, opening: OpenedInstance.Opening
  ) throws {
    let known = erasures.entries()
    let instance = try opening(database, folders, environment, logger)
    defer { instance.stop() }
    let outcome = try RestoredDatabase(instance: instance).settle(known)
    try erasures.add(known)
    (devices, erasedAgain) = (outcome.devices, outcome.erasedAgain)
    knewErasures = !known.isEmpty
  }
}
