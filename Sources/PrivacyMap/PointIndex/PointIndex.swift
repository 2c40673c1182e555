/// An in-memory index of all public points, for boxes, counts, clusters, nearest-neighbour search
/// and tiles.
///
/// The index is a value type. A copy is an immutable snapshot that costs a few retains and may be
/// read from any thread. The database is the authoritative source. The index is built from it at
/// start and updated after every commit. ``sequence`` is the change sequence that the index has
/// reached.
///
/// Points are stored in immutable segments: one large segment, followed by smaller ones with later
/// changes, each at most a quarter of the size of the previous one. Changed or removed points are
/// marked dead in their segment. When the changes exceed a sixteenth of the large segment, the owner
/// should merge all segments into one (``isOutgrown``, ``merge()``): about 0.2 s at a million points,
/// once in some 60,000 changes.
///
/// A million points take 52.5 MB, and up to 4 MB more just before a merge. A merge briefly needs
/// memory for the old and the new segments at once.
package struct PointIndex: Sendable {
  /// The change sequence of the database that this index reflects.
  package private(set) var sequence: Int64
  private(set) var segments: [LiveSegment] = []
  private(set) var dictionary = ProfileDictionary()
  /// The minimum number of changed points for a merge.
  private let mergeFloor: Int

  /// Below this number of changed points a merge is not worth its time.
  package static let usualMergeFloor = 4_096

  /// Creates an empty index.
  package init(sequence: Int64 = 0) {
    self.init(sequence: sequence, mergeFloor: Self.usualMergeFloor)
  }

  init(sequence: Int64, mergeFloor: Int) {
    self.sequence = sequence
    self.mergeFloor = mergeFloor
  }

  /// The number of devices in the index.
  package var count: Int { segments.reduce(0) { $0 + $1.liveCount } }

  /// The memory of the index, in bytes.
  package var memoryFootprint: Int {
    segments.reduce(dictionary.memoryFootprint) { sum, entry in
      sum + entry.segment.memoryFootprint + entry.live.capacity * 8
    }
  }

  /// Applies the changes of a commit. If a row occurs twice, the later change wins.
  ///
  /// One change costs some microseconds if no reader holds a copy. If a reader does, it costs one
  /// copy of the live marks (125 kB at a million points).
  ///
  /// - Parameters:
  ///   - changes: in chronological order.
  ///   - sequence: the change sequence of the database after them.
  package mutating func apply(_ changes: [PointChange], sequence: Int64) {
    self.sequence = sequence
    var last: [UInt32: Int] = [:]
    for (place, change) in changes.enumerated() { last[change.rowid] = place }
    var added = PointColumns()
    for (place, change) in changes.enumerated() where last[change.rowid] == place {
      remove(change.rowid)
      if case .put(let point) = change {
        added.append(point, profile: dictionary.add(point.profile))
      }
    }
    if added.count > 0 { segments.append(LiveSegment(PointSegment(sorting: consume added))) }
    mergeSmallSegments()
  }

  /// Whether so much has changed since the last merge that ``merge()`` saves time and memory.
  package var isOutgrown: Bool {
    guard let large = segments.first else { return false }
    let changed = segments.dropFirst().reduce(large.deadCount) { $0 + $1.segment.count }
    // Repeated edits of one device leave few dead points, but one unused profile each.
    return max(changed, dictionary.unusedCount) > max(mergeFloor, large.segment.count / 16)
  }

  /// Merges all segments into one and drops unused profiles. The content stays the same.
  ///
  /// To continue with changes meanwhile, merge a copy, and then apply those changes to the copy, too.
  package mutating func merge() {
    var columns = gathered(segments.indices)
    segments.removeAll()  // before the sort, which needs additional memory
    columns.renumberProfiles(dictionary.compact())
    segments = [LiveSegment(PointSegment(sorting: consume columns))]
  }

  /// The device of a row, if the index contains it.
  package func point(rowid: UInt32) -> IndexedPoint? {
    for entry in segments.reversed() {
      if let slot = entry.liveSlot(ofRowid: rowid) { return point(entry.segment, slot) }
    }
    return nil
  }

  /// Calls `body` once for every device, in no particular order. Used to compare the index with the
  /// database.
  package func forEach<Failure: Error>(
    _ body: (IndexedPoint) throws(Failure) -> Void
  ) throws(Failure) {
    for entry in segments {
      try entry.forEachLiveSlot { slot throws(Failure) in try body(point(entry.segment, slot)) }
    }
  }

  func point(_ segment: PointSegment, _ slot: Int) -> IndexedPoint {
    IndexedPoint(
      rowid: segment.rowids[slot], id: segment.ids[slot], position: segment.position(at: slot),
      profile: dictionary.profiles[Int(segment.profiles[slot])], dueDay: segment.dueDays[slot],
      country: segment.countries[slot], bearing: segment.bearings[slot],
      operatorRow: segment.operatorRows[slot], addedDay: segment.addedDays[slot],
      confirmedDay: segment.confirmedDays[slot], endedDay: segment.endedDays[slot])
  }

  private mutating func remove(_ rowid: UInt32) {
    for place in segments.indices.reversed() {
      guard let slot = segments[place].liveSlot(ofRowid: rowid) else { continue }
      dictionary.remove(segments[place].segment.profiles[slot])
      segments[place].kill(slot)
      return
    }
  }

  private mutating func mergeSmallSegments() {
    while segments.count > 2,
      segments[segments.count - 2].segment.count < 4 * segments[segments.count - 1].segment.count
    {
      merge(segments.count - 2..<segments.count)
    }
  }

  private mutating func merge(_ range: Range<Int>) {
    let columns = gathered(range)
    let merged = PointSegment(sorting: consume columns)
    segments.replaceSubrange(range, with: [LiveSegment(merged)])
  }

  private func gathered(_ range: Range<Int>) -> PointColumns {
    var columns = PointColumns(capacity: segments[range].reduce(0) { $0 + $1.liveCount })
    for entry in segments[range] { columns.append(liveOf: entry) }
    return columns
  }
}

extension PointIndex {
  /// Collects the points of the first load, row by row.
  package struct Builder: Sendable {
    private var columns: PointColumns
    private var dictionary = ProfileDictionary()
    private let mergeFloor: Int

    /// - Parameters:
    ///   - expectedCount: the expected number of rows. A good estimate saves memory.
    ///   - mergeFloor: the minimum number of changed points for a merge.
    package init(expectedCount: Int = 0, mergeFloor: Int = PointIndex.usualMergeFloor) {
      columns = PointColumns(capacity: max(0, expectedCount))
      self.mergeFloor = mergeFloor
    }

    /// Adds one device. Each rowid may occur only once.
    package mutating func append(_ point: IndexedPoint) {
      columns.append(point, profile: dictionary.add(point.profile))
    }

    /// Adds the devices of another builder that read other rows in parallel.
    package mutating func append(contentsOf other: consuming Builder) {
      var moved = PointColumns()
      swap(&moved, &other.columns)
      moved.renumberProfiles(dictionary.adopt(other.dictionary))
      columns.append(contentsOf: consume moved)
    }

    /// Builds the index of all added devices. `sequence` is the change sequence of the database
    /// when they were read.
    package consuming func finish(sequence: Int64) -> PointIndex {
      // Moved out of the builder, so that sorting a column frees the unsorted one.
      var moved = PointColumns()
      swap(&moved, &columns)
      return PointIndex(
        columns: consume moved, dictionary: dictionary, sequence: sequence,
        mergeFloor: mergeFloor)
    }
  }

  private init(
    columns: consuming PointColumns, dictionary: ProfileDictionary, sequence: Int64,
    mergeFloor: Int
  ) {
    self.init(sequence: sequence, mergeFloor: mergeFloor)
    self.dictionary = dictionary
    guard columns.count > 0 else { return }
    segments = [LiveSegment(PointSegment(sorting: consume columns))]
  }
}
