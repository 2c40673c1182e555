/// Points on their way into a segment: one growing array for each part, in any order.
struct PointColumns {
  var longitudes: [Int32] = []
  var latitudes: [Int32] = []
  var rowids: [UInt32] = []
  var ids: [DeviceID] = []
  /// Numbers in the index's ``ProfileDictionary``.
  var profiles: [UInt32] = []
  var dueDays: [UInt16] = []
  var countries: [UInt16] = []
  var bearings: [UInt16] = []
  var operatorRows: [UInt32] = []
  var addedDays: [UInt16] = []
  var confirmedDays: [UInt16] = []
  var endedDays: [UInt16] = []

  /// Room for so many points from the start, so that growing never doubles the memory.
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

  /// Appends the live points of a segment, in its order.
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

  /// Gives every point the new number of its profile.
  mutating func renumberProfiles(_ numbers: [UInt32]) {
    for slot in profiles.indices { profiles[slot] = numbers[Int(profiles[slot])] }
  }

  /// Puts the points in order along the Hilbert curve.
  ///
  /// The curve gets as many bits as the place in the array leaves of 64: 22 for each axis at a
  /// million points, about ten metres. The sort is stable and near linear where points already
  /// come in order, as they do when segments merge.
  mutating func sort() {
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
    keys.sort()
    let mask: UInt64 = (1 << UInt64(placeBits)) - 1
    // One column after the other, so that only one is ever there twice.
    Self.reorder(&longitudes, by: keys, mask)
    Self.reorder(&latitudes, by: keys, mask)
    Self.reorder(&rowids, by: keys, mask)
    Self.reorder(&ids, by: keys, mask)
    Self.reorder(&profiles, by: keys, mask)
    Self.reorder(&dueDays, by: keys, mask)
    Self.reorder(&countries, by: keys, mask)
    Self.reorder(&bearings, by: keys, mask)
    Self.reorder(&operatorRows, by: keys, mask)
    Self.reorder(&addedDays, by: keys, mask)
    Self.reorder(&confirmedDays, by: keys, mask)
    Self.reorder(&endedDays, by: keys, mask)
  }

  private static func reorder<Element>(
    _ column: inout [Element], by keys: [UInt64], _ mask: UInt64
  ) {
    let old = column
    column = [Element](unsafeUninitializedCapacity: old.count) { new, initialized in
      old.withUnsafeBufferPointer { old in
        for (slot, key) in keys.enumerated() {
          new.initializeElement(at: slot, to: old[Int(key & mask)])
        }
      }
      initialized = old.count
    }
  }
}
