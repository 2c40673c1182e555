/// A sentence for people, identified by a key and not yet translated.
///
/// The texts are in the message catalogue: `public/locale` has the texts of pages, `seed/messages` the texts that only
/// the server uses, such as errors and mails. Each further language needs one more file in both.
package struct Message: Equatable, Sendable {
  /// A key of the catalogue, such as `error.limit`.
  package let key: String
  /// Values for the placeholders `{name}` in the sentence.
  package let arguments: [String: String]

  package init(_ key: String, _ arguments: [String: String] = [:]) {
    self.key = key
    self.arguments = arguments
  }
}
