package import Pictures
package import PrivacyMap
import Service
package import SpatialDatabase

/// Applies a list of photos to a device: order, descriptions, deletions, restorations and pictures. Runs
/// in the transaction of the revision that it belongs to.
///
/// Only moderators may change more than the order of other people's photos.
package struct PhotoList {
  package let environment: Environment
  /// The author of the change.
  package let author: DeviceWriter.Author

  package init(environment: Environment, author: DeviceWriter.Author) {
    self.environment = environment
    self.author = author
  }

  private var table: PhotoTable { PhotoTable() }

  func apply(
    _ wanted: [KeptPhoto], to device: Int64, _ connection: borrowing Connection
  ) throws {
    let rows = try table.all(of: device, connection)
    var position: Int64 = 0
    for photo in wanted {
      guard let row = rows.first(where: { $0.id == photo.id }) else { continue }
      if row.isDeleted {
        guard mayChange(row) else { continue }
        try bringBack(row, connection)
      }
      position += 1
      try place(row, at: position, connection)
      guard mayChange(row) else { continue }
      if row.alt != photo.alt {
        try table.describe(row, as: photo.alt, connection)
      }
      if photo.version != row.version, photo.version > 0 {
        try PhotoVersions(environment: environment)
          .show(photo.version, of: row, evenRedacted: false, connection)
      }
    }
    for row in rows where !row.isDeleted && !wanted.contains(where: { $0.id == row.id }) {
      if mayChange(row) {
        try delete(row, connection)
      } else {
        position += 1
        try place(row, at: position, connection)
      }
    }
  }

  /// The list that can be reached, given the existing photos and their authors.
  package func reachable(
    _ wanted: [KeptPhoto], of device: Int64, _ connection: borrowing Connection
  ) throws -> [KeptPhoto] {
    let rows = try table.all(of: device, connection)
    var list: [KeptPhoto] = []
    for photo in wanted {
      guard let row = rows.first(where: { $0.id == photo.id }), mayChange(row) || !row.isDeleted
      else { continue }
      var reached = row.kept
      if mayChange(row) {
        reached.alt = photo.alt
        if try PhotoVersions.has(photo.version, of: row, connection) {
          reached.version = photo.version
        }
      }
      list.append(reached)
    }
    for row in rows where !row.isDeleted && !mayChange(row) {
      guard !wanted.contains(where: { $0.id == row.id }) else { continue }
      list.append(row.kept)
    }
    return list
  }

  private func mayChange(_ row: PhotoRow) -> Bool {
    author.moderates || (author.account != nil && row.author == author.account)
  }

  private func place(
    _ row: PhotoRow, at position: Int64, _ connection: borrowing Connection
  ) throws {
    guard row.position != position else { return }
    try table.place(row, at: position, connection)
  }

  private func delete(_ row: PhotoRow, _ connection: borrowing Connection) throws {
    try table.delete(row, at: environment.now(), connection)
    try ReviewStore.delete(ofPhoto: row.rowid, connection)
    try ErasureList.note(.photo, [row.id], value: "true", at: environment.now(), connection)
  }

  private func bringBack(_ row: PhotoRow, _ connection: borrowing Connection) throws {
    try table.bringBack(row, connection)
    try ErasureList.note(.photo, [row.id], value: "false", at: environment.now(), connection)
    if row.stateBefore == "waiting", let author = row.author {
      try ReviewStore(environment: environment)
        .ask(for: .photo(row.rowid), of: row.device, by: author, connection)
    }
  }
}
