/// Points being collected for a segment: one growing array per property, in any order.
struct PointColumns {
  var longitudes: [Int32] = []
  var latitudes: [Int32] = []
  var rowids: [UInt32] = []
  var ids: [DeviceID] = []
  /// Profile numbers in the ``ProfileDictionary`` of the index.
  var profiles: [UInt32] = []
  var dueDays: [UInt16] = []
  var countries: [UInt16] = []
  var bearings: [UInt16] = []
  var operatorRows: [UInt32] = []
  var addedDays: [UInt16] = []
  var confirmedDays: [UInt16] = []
  var endedDays: [UInt16] = []

  /// Reserves memory for `capacity` points, so that growing never doubles the memory.
  init(capacity: Int = 0) {
    longitudes.reserveCapacity(capacity)
    latitudes.reserveCapacity(capacity)
    rowids.reserveCapacity(capacity)
    ids.reserveCapacity(capacity)
    profiles.reserveCapacity(capacity)
    dueDays.reserveCapacity(capacity)
    countries.reserveCapacity(capacity)
    bearings.reserveCapacity(capacity)
    operatorRows.reserveCapacity(capacity)
    addedDays.reserveCapacity(capacity)
    confirmedDays.reserveCapacity(capacity)
    endedDays.reserveCapacity(capacity)
  }

  var count: Int { rowids.count }

  mutating func append(_ point: IndexedPoint, profile: UInt32) {
    longitudes.append(point.position.longitude)
    latitudes.append(point.position.latitude)
    rowids.append(point.rowid)
    ids.append(point.id)
    profiles.append(profile)
    dueDays.append(point.dueDay)
    countries.append(point.country)
    bearings.append(point.bearing)
    operatorRows.append(point.operatorRow)
    addedDays.append(point.addedDay)
    confirmedDays.append(point.confirmedDay)
    endedDays.append(point.endedDay)
  }

  /// Appends the live points of a segment in the order of the segment.
  mutating func append(liveOf entry: LiveSegment) {
    let segment = entry.segment
    entry.forEachLiveSlot { slot in
      longitudes.append(segment.longitudes[slot])
      latitudes.append(segment.latitudes[slot])
      rowids.append(segment.rowids[slot])
      ids.append(segment.ids[slot])
      profiles.append(segment.profiles[slot])
      dueDays.append(segment.dueDays[slot])
      countries.append(segment.countries[slot])
      bearings.append(segment.bearings[slot])
      operatorRows.append(segment.operatorRows[slot])
      addedDays.append(segment.addedDays[slot])
      confirmedDays.append(segment.confirmedDays[slot])
      endedDays.append(segment.endedDays[slot])
    }
  }

  /// Appends other points. Frees each of their columns after copying it.
  mutating func append(contentsOf others: consuming PointColumns) {
    Self.move(&others.longitudes, to: &longitudes)
    Self.move(&others.latitudes, to: &latitudes)
    Self.move(&others.rowids, to: &rowids)
    Self.move(&others.ids, to: &ids)
    Self.move(&others.profiles, to: &profiles)
    Self.move(&others.dueDays, to: &dueDays)
    Self.move(&others.countries, to: &countries)
    Self.move(&others.bearings, to: &bearings)
    Self.move(&others.operatorRows, to: &operatorRows)
    Self.move(&others.addedDays, to: &addedDays)
    Self.move(&others.confirmedDays, to: &confirmedDays)
    Self.move(&others.endedDays, to: &endedDays)
  }

  private static func move<Element>(_ column: inout [Element], to other: inout [Element]) {
    other.append(contentsOf: column)
    column = []
  }

  /// Replaces the profile number of every point with its new number.
  mutating func renumberProfiles(_ numbers: [UInt32]) {
    for slot in profiles.indices { profiles[slot] = numbers[Int(profiles[slot])] }
  }

  /// Sorts the points along the Hilbert curve.
  ///
  /// Of the 64 bits of a key, the curve uses the bits that the array position does not need. With a
  /// million points that is 22 bits per axis, about ten metres. Points with the same curve position
  /// keep their order.
  mutating func sort() {
    let order = sortedPlaces()
    // Reorders one column at a time, so that only one column (half of the widest) is ever
    // duplicated.
    Self.reorder(&longitudes, by: order)
    Self.reorder(&latitudes, by: order)
    Self.reorder(&rowids, by: order)
    Self.reorderHalves(of: &ids, by: order)
    Self.reorder(&profiles, by: order)
    Self.reorder(&dueDays, by: order)
    Self.reorder(&countries, by: order)
    Self.reorder(&bearings, by: order)
    Self.reorder(&operatorRows, by: order)
    Self.reorder(&addedDays, by: order)
    Self.reorder(&confirmedDays, by: order)
    Self.reorder(&endedDays, by: order)
  }

  /// The current positions of the points, in the order along the curve.
  private func sortedPlaces() -> [UInt32] {
    let placeBits = max(1, Int.bitWidth - count.leadingZeroBitCount)
    let order = min(32, (64 - placeBits) / 2)
    var keys = [UInt64](unsafeUninitializedCapacity: count) { keys, initialized in
      for slot in 0..<count {
        let distance = HilbertCurve.distance(
          longitude: longitudes[slot], latitude: latitudes[slot], order: order)
        keys.initializeElement(at: slot, to: distance << UInt64(placeBits) | UInt64(slot))
      }
      initialized = count
    }
    keys.radixSort()
    let mask: UInt64 = (1 << UInt64(placeBits)) - 1
    return keys.map { UInt32(truncatingIfNeeded: $0 & mask) }
  }

  private static func reorder<Element>(_ column: inout [Element], by order: [UInt32]) {
    let old = column
    column = [Element](unsafeUninitializedCapacity: old.count) { new, initialized in
      old.withUnsafeBufferPointer { old in
        for (slot, place) in order.enumerated() {
          new.initializeElement(at: slot, to: old[Int(place)])
        }
      }
      initialized = old.count
    }
  }

  private static func reorderHalves(of ids: inout [DeviceID], by order: [UInt32]) {
    var half = ids.map(\.high)
    reorder(&half, by: order)
    // The low halves are still in their original slots.
    for slot in ids.indices { ids[slot] = DeviceID(high: half[slot], low: ids[slot].low) }
    for slot in ids.indices { half[slot] = ids[slot].low }
    reorder(&half, by: order)
    for slot in ids.indices { ids[slot] = DeviceID(high: ids[slot].high, low: half[slot]) }
  }
}
