extension PointIndex {
  /// Calls `body` for every matching device whose operator has a name, in no particular order.
  package func forEachOperated(
    matching filter: PointFilter,
    _ body: (_ operatorRow: UInt32, _ profile: DeviceProfile, _ position: FixedPosition) -> Void
  ) {
    let profiles = dictionary.profiles
    forEachSlot(filter, GroupFinder([])) { _, segment, slot in
      let row = segment.operatorRows[slot]
      guard row != 0 else { return }
      body(row, profiles[Int(segment.profiles[slot])], segment.position(at: slot))
    }
  }
}
