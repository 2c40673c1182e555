/// Decides from a trial run whether a scheduled import may change the map without an admin.
///
/// A list may arrive truncated, with renamed columns, or about another region. Such a file would refuse, change or
/// miss far more devices than the import before it.
struct ImportCaution {
  /// The counts of an import.
  struct Counts: Equatable, Sendable {
    var rows, changed, gone: Int64
  }

  /// Up to this number of devices, no change is too large.
  static let few = 20

  /// The last import of the same source; nil for the first.
  let last: Counts?

  /// The reason to ask an admin; nil if the import may run.
  func problem(with trial: ImportRun.Report) -> ImportProblem? {
    let known = trial.changed + trial.unchanged
    let before = Int(clamping: last?.rows ?? 0)
    if trial.rows == 0 { return ImportProblem(.empty) }
    if let reason = trial.incomplete { return ImportProblem(.partial, ["reason": reason]) }
    if trial.rows < before / 2 {
      return ImportProblem(.fewerRows, ["rows": "\(trial.rows)", "before": "\(before)"])
    }
    if trial.refused > trial.rows / 2 {
      return ImportProblem(.refusedRows, ["refused": "\(trial.refused)", "rows": "\(trial.rows)"])
    }
    if isMost(trial.changed, of: known, before: last?.changed) {
      return ImportProblem(.changedRows, ["changed": "\(trial.changed)", "known": "\(known)"])
    }
    // Without any known device it is another list, or its ids are new.
    if trial.gone > 0 && known == 0
      || isMost(trial.gone, of: known + trial.gone, before: last?.gone)
    {
      return ImportProblem(.goneRows, ["gone": "\(trial.gone)", "known": "\(known + trial.gone)"])
    }
    return nil
  }

  /// Whether these are more than a few, more than half, and more than twice as many as in the last import: some lists
  /// change each record in each version.
  private func isMost(_ count: Int, of known: Int, before: Int64?) -> Bool {
    count > Self.few && count > known / 2 && count / 2 > Int(clamping: before ?? 0)
  }
}
