@testable import Lists
import PrivacyMap
@testable import Service
import Testing

/// When a schedule is due, and which files it holds back.
@Suite struct ImportScheduleRuleTests {
  @Test(
    arguments: [
      ("day", 1, 3, "2026-11-21T02:59:59Z", "2026-11-21T03:00:00Z"),
      ("day", 1, 3, "2026-11-21T03:00:00Z", "2026-11-22T03:00:00Z"),
      // 21 November 2026 is a Saturday.
      ("week", 6, 12, "2026-11-21T11:00:00Z", "2026-11-21T12:00:00Z"),
      ("week", 6, 12, "2026-11-21T12:00:00Z", "2026-11-28T12:00:00Z"),
      ("week", 1, 0, "2026-11-21T12:00:00Z", "2026-11-23T00:00:00Z"),
      ("month", 28, 23, "2026-02-28T23:00:00Z", "2026-03-28T23:00:00Z"),
      ("month", 1, 0, "2026-12-31T12:00:00Z", "2027-01-01T00:00:00Z"),
    ])
  func `the next run is at the hour of the day`(
    every: String, day: Int, hour: Int, now: String, next: String
  ) throws {
    let timing = ImportSchedule.Timing(
      every: try #require(.init(rawValue: every)), day: day, hour: hour)
    #expect(timing.next(after: try #require(Timestamp(text: now))).text == next)
  }

  private func problem(
    _ last: ImportCaution.Counts?, rows: Int, changed: Int = 0, unchanged: Int = 0, gone: Int = 0,
    refused: Int = 0
  ) -> ImportProblem.Code? {
    var report = ImportRun.Report()
    (report.rows, report.changed, report.unchanged) = (rows, changed, unchanged)
    (report.gone, report.refused) = (gone, refused)
    return ImportCaution(last: last).problem(with: report)?.code
  }

  @Test func `a list is held from the first row beyond each limit`() {
    let last = ImportCaution.Counts(rows: 100, changed: 0, gone: 0)
    #expect(problem(last, rows: 50, unchanged: 50) == nil)
    #expect(problem(last, rows: 49, unchanged: 49) == .fewerRows)
    #expect(problem(nil, rows: 1) == nil)
    #expect(problem(nil, rows: 0) == .empty)
    #expect(problem(nil, rows: 10, refused: 5) == nil)
    #expect(problem(nil, rows: 10, refused: 6) == .refusedRows)
    #expect(problem(last, rows: 100, changed: 50, unchanged: 50) == nil)
    #expect(problem(last, rows: 100, changed: 51, unchanged: 49) == .changedRows)
    #expect(problem(last, rows: 100, unchanged: 50, gone: 50) == nil)
    #expect(problem(last, rows: 100, unchanged: 50, gone: 51) == .goneRows)
    // Another list, or a list with new ids, does not contain the known devices.
    #expect(problem(nil, rows: 8, gone: 8) == .goneRows)
    #expect(problem(nil, rows: 8, unchanged: 1, gone: 7) == nil)
    // A few devices are never too many.
    #expect(problem(nil, rows: 20, changed: 20) == nil)
    #expect(problem(nil, rows: 21, changed: 21) == .changedRows)
    // A list that changes all its records each time is not held each time.
    let lively = ImportCaution.Counts(rows: 100, changed: 60, gone: 0)
    #expect(problem(lively, rows: 100, changed: 100) == nil)
  }

  @Test func `every problem has a sentence in every language, without open placeholders`() throws {
    let catalogue = try Catalogue(folders: Repository.words)
    let facts = [
      "status": "503", "maximum": "64", "reason": "no", "rows": "1", "before": "9", "refused": "2",
      "changed": "3", "known": "4", "gone": "5",
    ]
    for language in catalogue.languages {
      for code in ImportProblem.Code.allCases {
        let problem = ImportProblem(code, facts)
        #expect(catalogue.has(problem.message.key, in: language), "\(language) \(code)")
        #expect(!catalogue.text(problem.message, in: language).contains("{"), "\(language) \(code)")
        #expect(
          ImportProblem(code: code.rawValue, facts: problem.storedFacts) == problem, "\(code)")
      }
    }
    #expect(ImportProblem(code: nil, facts: nil) == nil)
    #expect(ImportProblem(code: "unheard_of", facts: "{}") == nil)
  }
}
