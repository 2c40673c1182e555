/// The treatment of one table with personal data after a backup was restored.
///
/// A feature states a rule for each of its tables in an entry of `public/terms/stored.json`; a test compares the two.
/// So no data can be erased in a way that a restore undoes without a decision in the code.
package struct RestoreRule: Sendable {
  package enum Treatment: Equatable, Sendable {
    /// ``ErasureList`` contains the erasures and withdrawals, and the feature repeats them.
    case repeats([ErasureList.Kind])
    /// The rows are erased with the rows of another table that they refer to.
    case follows(String)
    /// No row of the backup stays.
    case ends
    /// The rows stay as in the backup, for a reason.
    case remains(String)
  }

  /// The entry of `public/terms/stored.json`.
  package let entry: String
  package let table: String
  package let treatment: Treatment

  /// The rules of an entry, for example `of("watches", ["watch": .repeats([.watch])])`.
  package static func of(
    _ entry: String, _ treatments: KeyValuePairs<String, Treatment>
  ) -> [RestoreRule] {
    treatments.map { RestoreRule(entry: entry, table: $0.key, treatment: $0.value) }
  }
}
