/// The watches that are not paused, in memory: the keys of all, and the matching data of watches that report at once.
struct WatchIndex {
  /// A watch that reports at once. A class, because each change passes many.
  final class Entry: Sendable {
    let rowid: Int64
    /// Only changes after this number match.
    let since: Int64
    let watch: Matching.Watch
    let mailsAtOnce: Bool
    /// The host of its webhook; nil without a webhook.
    let host: String?

    init(
      rowid: Int64, since: Int64, watch: Matching.Watch, mailsAtOnce: Bool, host: String?
    ) {
      self.rowid = rowid
      self.since = since
      self.watch = watch
      self.mailsAtOnce = mailsAtOnce
      self.host = host
    }
  }

  /// The watches that report at once.
  private(set) var entries: [Int64: Entry] = [:]
  /// The watches in ``entries`` whose next mail is scheduled.
  var mailing: Set<Int64> = []
  /// The keys of each watch.
  private var keys: [Int64: [Int64]] = [:]
  /// The number of watches with a key, and the watches in ``entries`` with it.
  private var counts: [Int64: Int] = [:]
  private var immediate: [Int64: [Entry]] = [:]

  private struct SharedFilter {
    let text: String
    /// The number of watches that have it.
    var count = 0
  }

  private var filters: [Int: SharedFilter] = [:]
  private var numbers: [String: Int] = [:]
  private var lastNumber = 0

  /// The number of watches.
  var count: Int { keys.count }
  var rows: some Sequence<Int64> { keys.keys }

  /// The number of the filter that is stored as `text`, for the next entry. Watches with equal filters share it.
  /// Numbers are compared for each candidate of a change, faster than texts.
  mutating func number(of text: String) -> Int {
    if let known = numbers[text] { return known }
    lastNumber += 1
    numbers[text] = lastNumber
    filters[lastNumber] = SharedFilter(text: text)
    return lastNumber
  }

  /// Adds a watch with its keys, or changes it; `entry` is nil unless it reports at once.
  mutating func put(_ rowid: Int64, keys wanted: [Int64], _ entry: Entry?) {
    // Before the old entry is removed, which may be the last other one with this filter.
    if let entry { filters[entry.watch.number]?.count += 1 }
    remove(rowid)
    keys[rowid] = wanted
    for key in wanted { counts[key, default: 0] += 1 }
    guard let entry else { return }
    entries[rowid] = entry
    for key in wanted { immediate[key, default: []].append(entry) }
  }

  mutating func remove(_ rowid: Int64) {
    guard let known = keys.removeValue(forKey: rowid) else { return }
    mailing.remove(rowid)
    for key in known {
      counts[key, default: 0] -= 1
      if counts[key] == 0 { counts[key] = nil }
    }
    guard let entry = entries.removeValue(forKey: rowid) else { return }
    for key in known {
      immediate[key]?.removeAll { $0.rowid == rowid }
      if immediate[key]?.isEmpty == true { immediate[key] = nil }
    }
    guard let shared = filters[entry.watch.number] else { return }
    filters[entry.watch.number]?.count -= 1
    if shared.count == 1 {
      filters[entry.watch.number] = nil
      numbers[shared.text] = nil
    }
  }

  /// The keys among `wanted` that a watch has.
  func watched(_ wanted: [Int64]) -> [Int64] { wanted.filter { counts[$0] != nil } }

  /// The watches that report at once and have one of these keys; a watch may occur twice.
  func candidates(_ wanted: [Int64]) -> [Entry] {
    wanted.flatMap { immediate[$0] ?? [] }
  }
}
