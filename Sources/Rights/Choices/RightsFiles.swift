package import Foundation
package import Service

/// The laws, letters and contacts of `seed/rights`, `seed/letters` and `seed/contacts`. Instances of one process can
/// share them, because nothing changes them.
package struct RightsFiles: Sendable {
  let rights: RightsBook
  let records: RecordTerms
  let letters: LetterBook
  let contacts: ContactBook
  /// The sentences of pages and of letters.
  let catalogue: Catalogue

  /// - Throws: ``InvalidSeed`` with the name of the file.
  package init(seed: URL, catalogue: Catalogue) throws {
    let folder = seed.appendingPathComponent("rights")
    rights = try RightsBook(directory: folder)
    records = try RecordTerms(directory: folder)
    letters = try LetterBook(directory: seed.appendingPathComponent("letters"))
    contacts = try ContactBook(directory: seed.appendingPathComponent("contacts"))
    self.catalogue = catalogue.adding(letters.words.sentences)
  }
}
