import Foundation

/// A program that a suite runs: built next to the tests, or installed on the system.
///
/// The condition of a suite, `.enabled(if: try program.isThere())`, throws where the program is
/// missing, so that the suite fails: skipped tests would look like tests that passed.
package struct NeededProgram: Sendable {
  package let path: String
  /// How to get the program: a command.
  private let remedy: String

  package struct Missing: Error, CustomStringConvertible {
    package let description: String
  }

  package init(path: String, remedy: String) {
    self.path = path
    self.remedy = remedy
  }

  /// A program of this package, which the build places in the folder of the running tests.
  package static func built(_ name: String) -> NeededProgram {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent()
    return NeededProgram(
      path: folder.appendingPathComponent(name).path, remedy: "run `swift build --product \(name)`")
  }

  /// - Returns: true.
  /// - Throws: ``Missing`` if there is no such program.
  package func isThere() throws -> Bool {
    guard FileManager.default.isExecutableFile(atPath: path) else {
      throw Missing(description: "\(path) is missing: \(remedy).")
    }
    return true
  }
}
