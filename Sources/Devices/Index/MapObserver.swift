package import PrivacyMap

/// Receives the changes of public devices after they are committed and visible.
package protocol MapObserver: AnyObject, Sendable {
  /// Whether it receives changes at the moment.
  var isListening: Bool { get }
  /// Whether it needs the devices before and after each change. Finding them costs the writer some microseconds for
  /// each.
  var needsTransitions: Bool { get }

  /// Receives the changes of one or several commits. The writer waits for it, so it must return within
  /// microseconds.
  ///
  /// - Parameters:
  ///   - transitions: one for each changed device; none if no observer needs them.
  ///   - sequence: the number in the change sequence after them.
  func note(_ transitions: [MapTransition], sequence: Int64)
}

/// A device in the index before and after a change; nil if it is not public.
package struct MapTransition: Sendable {
  package let rowid: UInt32
  package var before: IndexedPoint?
  package var after: IndexedPoint?

  /// The effect of `change` on an index to which it has not been applied yet.
  init(_ change: PointChange, in index: PointIndex) {
    rowid = change.rowid
    before = index.point(rowid: change.rowid)
    if case .put(let point) = change { after = point }
  }
}
