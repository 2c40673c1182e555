import Foundation

extension TestFolder {
  /// Puts the map of countries made at set-up into the folder of an instance.
  static func linkCountries(_ folder: URL) throws {
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("countries.bin"),
      withDestinationURL: Repository.root.appendingPathComponent("data/countries.bin"))
  }
}
