/// A change of the public map, as in the change sequence.
package enum ChangeKind: String, Sendable {
  case added, changed, removed
}

/// The origin of a revision of a device.
package enum RevisionKind: String, Sendable {
  case add, edit
  /// The values of an earlier revision.
  case restore
  case `import`
  /// Undoes a revert, a merge or an import.
  case undo
  /// A moderator undid revisions.
  case revert
  /// Another device was merged into this one.
  case merge

  /// Whether it only undoes other revisions, or undoes an undo.
  package var takesBack: Bool { self == .revert || self == .undo }

  /// Whether it is a moderation action or undoes something, and so is not a contribution.
  package var isAct: Bool { self == .merge || takesBack }
}
