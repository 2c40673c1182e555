/// Something that `farol check` found wrong with a database.
package struct Finding: Equatable, Sendable, CustomStringConvertible {
  /// What a finding means for the instance and for its backups.
  package enum Kind: Equatable, Sendable {
    /// The file itself is damaged, so that a copy may not be usable. The only kind that stops a backup.
    case damage
    /// Rows contradict each other, and nothing tells which of them is right. A copy is as good as the
    /// original.
    case content
    /// Something that follows from other rows does not agree with them. A server that makes backups
    /// writes it again by itself.
    case derived(DerivedPart)
    /// Something that follows from other rows is damaged inside. `farol restore` makes it anew.
    case broken(DerivedPart)
  }

  let kind: Kind
  /// One sentence.
  package let description: String

  /// Whether no backup is made of such a database.
  package var stopsBackups: Bool { kind == .damage }

  /// Whether a running server writes it again by itself.
  var isWrittenAgain: Bool {
    if case .derived = kind { true } else { false }
  }

  /// The part that can be made anew, whole or in part; nil for other kinds.
  var part: DerivedPart? {
    switch kind {
    case .damage, .content: nil
    case .derived(let part), .broken(let part): part
    }
  }
}

/// What follows from other rows of the database.
package enum DerivedPart: String, CaseIterable, Sendable {
  /// SQLite's own indexes.
  case indexes
  /// The full text of devices.
  case texts
  /// The tree of the devices' boxes.
  case boxes
  /// What is kept ready for lists.
  case listings
  /// The geometries of devices, from their coordinates.
  case points
  /// The trees and counts of further collections.
  case collections
  /// The highest number that was given to an account.
  case accountNumbers = "account_numbers"
}
