/// The program itself.
package enum Farol {
  /// Semantic version.
  package static let version = "0.1.0"
}
