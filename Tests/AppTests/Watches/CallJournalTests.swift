import Foundation
import Testing

@testable import Watching

@Suite struct CallJournalTests {
  private let folder: URL
  private var path: String { folder.appendingPathComponent("farol.db-calls").path }

  init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("farol-journal-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  private func content(_ number: Int) throws -> String {
    try String(contentsOfFile: "\(path)-\(number)", encoding: .utf8)
  }

  @Test func `calls outlive the process`() {
    let first = CallJournal(path: path, last: 10)
    first.note(1, 3)
    first.note(1, 5)
    first.note(2, 4)
    let second = CallJournal(path: path, last: 10)
    #expect(second.through(1) == 5)
    #expect(second.through(2) == 4)
    #expect(second.through(3) == 0)
    #expect(second.begin() == [1: .init(through: 5, calls: 2), 2: .init(through: 4, calls: 1)])
  }

  @Test func `recorded calls are not recorded again`() throws {
    let journal = CallJournal(path: path, last: 10)
    journal.note(1, 3)
    let recorded = journal.begin()
    journal.note(1, 4)
    journal.end(recorded, gone: [])
    #expect(journal.begin() == [1: .init(through: 4, calls: 1)])
    #expect(CallJournal(path: path, last: 10).begin() == [1: .init(through: 4, calls: 1)])
  }

  @Test func `calls whose record failed stay in the files`() throws {
    let journal = CallJournal(path: path, last: 10)
    journal.note(1, 3)
    _ = journal.begin()
    journal.note(1, 4)
    _ = journal.begin()
    journal.note(1, 5)
    #expect(CallJournal(path: path, last: 10).begin() == [1: .init(through: 5, calls: 3)])
    journal.end(journal.begin(), gone: [])
    journal.end(journal.begin(), gone: [])
    #expect(try content(1) + content(2) == "")
  }

  @Test func `a position that is far behind in the database is recorded without calls`() {
    let journal = CallJournal(path: path, last: 10)
    let far = CallJournal.maxGap + 1
    journal.skip(1, to: far - 1)
    journal.skip(2, to: far)
    #expect(journal.begin() == [2: .init(through: far, calls: 0)])
    journal.end(journal.begin(), gone: [])
    journal.skip(2, to: far + 1)
    #expect(journal.begin().isEmpty)
  }

  @Test func `a watch that does not exist any more is forgotten`() {
    let journal = CallJournal(path: path, last: 10)
    journal.note(1, 3)
    journal.end(journal.begin(), gone: [1])
    #expect(journal.through(1) == 0)
  }

  @Test func `the files of a replaced database are emptied`() throws {
    try "1 3\n2 11\n".write(toFile: path + "-1", atomically: true, encoding: .utf8)
    #expect(CallJournal(path: path, last: 10).begin().isEmpty)
    #expect(CallJournal(path: path, last: 11).begin().isEmpty)
  }

  @Test func `a cut line and words are ignored`() throws {
    try "1 3\n-\n1 2 3\n99999999999999999999 1\n1 4".write(
      toFile: path + "-1", atomically: true, encoding: .utf8)
    let journal = CallJournal(path: path, last: 10)
    #expect(journal.begin() == [1: .init(through: 3, calls: 1)])
  }

  @Test func `without a folder, calls are remembered in memory`() {
    let journal = CallJournal(path: "/nowhere/farol.db-calls", last: 10)
    journal.note(1, 3)
    #expect(journal.through(1) == 3)
    journal.end(journal.begin(), gone: [])
    #expect(journal.begin().isEmpty)
  }
}
