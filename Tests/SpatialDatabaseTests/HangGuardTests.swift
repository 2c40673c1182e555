import PostgreSQL
import Testing

@testable import SpatialDatabase

/// A database that hangs is tried by one read at a time.
@Suite struct HangGuardTests {
  private let hang = DatabaseFault(ServerFault(.unresponsive, "no reaction"))
  private let hangs: HangGuard

  init() throws { hangs = HangGuard(try ServerAddress(url: "postgresql://db/farol")) }

  /// Whether a read may begin.
  private func mayBegin(isQuick: Bool) -> Bool {
    do { try hangs.begin(isQuick: isQuick) } catch { return false }
    return true
  }

  @Test func `one quick read without a reaction stops nobody, the second one in a row all`() {
    hangs.end(hang, isQuick: true)
    #expect(mayBegin(isQuick: true))
    hangs.end(nil, isQuick: true)
    hangs.end(hang, isQuick: true)
    #expect(mayBegin(isQuick: false))
    hangs.end(hang, isQuick: true)
    #expect(!mayBegin(isQuick: true))
    #expect(!mayBegin(isQuick: false))
  }

  @Test func `a read that waited for its whole limit stops all at once`() {
    hangs.end(hang, isQuick: false)
    #expect(!mayBegin(isQuick: false))
    #expect(throws: DatabaseFault.self) { try hangs.confirmAnswer() }
  }

  @Test func `after a pause one read tries, the others fail until it ends`() async throws {
    hangs.end(hang, isQuick: false)
    try await Task.sleep(for: .seconds(2.1))
    #expect(!mayBegin(isQuick: true))
    #expect(mayBegin(isQuick: false))
    #expect(!mayBegin(isQuick: false))
    // The error of a statement is an answer, too.
    hangs.end(DatabaseFault(.statement, "no such column"), isQuick: false)
    #expect(mayBegin(isQuick: true))
    #expect(mayBegin(isQuick: false))
  }

  @Test func `an attempt that finds no server leaves the pause in force`() async throws {
    hangs.end(hang, isQuick: false)
    try await Task.sleep(for: .seconds(2.1))
    #expect(mayBegin(isQuick: false))
    hangs.end(DatabaseFault(.unreachable, "refused"), isQuick: false)
    #expect(!mayBegin(isQuick: false))
  }

  @Test func `a database that is unreachable or busy does not count as hanging`() {
    for kind in [DatabaseFault.Kind.unreachable, .busy, .readOnly, .interrupted] {
      for _ in 1...3 { hangs.end(DatabaseFault(kind, "fault"), isQuick: false) }
      #expect(mayBegin(isQuick: true))
    }
  }
}
