/// A problem that `farol check` found in a database.
package struct Finding: Equatable, Sendable, CustomStringConvertible {
  /// The consequence of a finding for the instance and its backups.
  package enum Kind: Equatable, Sendable {
    /// The file itself is damaged, so a copy may be unusable. The only kind that stops backups.
    case damage
    /// Rows contradict each other, and it is unknown which are correct. A copy is as good as the original.
    case content
    /// Derived rows are inconsistent with their source rows. A server that makes backups rewrites them
    /// automatically.
    case derived(DerivedPart)
    /// Derived data is damaged internally. `farol restore` recreates it.
    case broken(DerivedPart)
  }

  package let kind: Kind
  /// One sentence.
  package let description: String

  package init(kind: Kind, description: String) {
    self.kind = kind
    self.description = description
  }

  /// Whether such a database is not backed up.
  package var stopsBackups: Bool { kind == .damage }

  /// Whether a running server rewrites it automatically.
  package var isWrittenAgain: Bool {
    if case .derived = kind { true } else { false }
  }

  /// The part that can be recreated or repaired; nil for other kinds.
  package var part: DerivedPart? {
    switch kind {
    case .damage, .content: nil
    case .derived(let part), .broken(let part): part
    }
  }
}

/// Data that is derived from other rows of the database.
package enum DerivedPart: String, CaseIterable, Sendable {
  /// SQLite's own indexes.
  case indexes
  /// The full text of devices.
  case texts
  /// The R-tree of the devices' boxes.
  case boxes
  /// The prepared values for lists.
  case listings
  /// The geometries of devices, from their coordinates.
  case points
  /// The R-trees and counts of further collections.
  case collections
  /// The highest number assigned to an account.
  case accountNumbers = "account_numbers"
}
