/// A test of one tag that every device of a mapping passes, so that a large file of OpenStreetMap can be
/// searched without reading all its elements as rows.
package struct TagTest: Equatable, Sendable {
  package var key: String
  /// In lower case, of which the value contains one. Empty: any value passes.
  package var texts: [String]
}
