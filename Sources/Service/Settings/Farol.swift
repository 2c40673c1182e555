/// The program.
package enum Farol {
  /// Semantic version.
  package static let version = "0.2.0"
}
