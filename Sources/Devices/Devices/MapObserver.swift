package import PrivacyMap

/// Receives the changes of public devices after they are committed and visible.
package protocol MapObserver: AnyObject, Sendable {
  /// Whether the changes are needed at the moment. If not, the index does not collect them.
  var isListening: Bool { get }

  /// Receives the changes of one or several commits. The writer waits for it, so it must return within
  /// microseconds.
  ///
  /// - Parameters:
  ///   - transitions: one for each changed device.
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
