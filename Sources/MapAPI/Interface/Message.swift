/// A sentence to a person, named and not yet in any language.
///
/// The words stand in the message catalogue (`public/locale/*.json`), where pages, errors and mails
/// take them from; a third language is one more file.
package struct Message: Equatable, Sendable {
  /// A key of the catalogue, such as `error.limit`.
  package let key: String
  /// What replaces `{name}` in the sentence.
  package let arguments: [String: String]

  package init(_ key: String, _ arguments: [String: String] = [:]) {
    self.key = key
    self.arguments = arguments
  }
}
