import Devices
import PrivacyMap
import Reference
import Service
import SpatialDatabase

/// Describes the news of watches in a language, without positions.
struct WatchLines {
  private let language: String
  private let catalogue: Catalogue
  private let names: DeviceNames
  private let vocabulary: Vocabulary

  init(
    _ language: String, _ catalogue: Catalogue, _ names: DeviceNames, _ vocabulary: Vocabulary
  ) {
    (self.language, self.catalogue, self.vocabulary) = (language, catalogue, vocabulary)
    self.names = names
  }

  /// A change as a line of text; `isOnMap` states whether its device is public.
  func line(
    _ reported: WatchNews.Reported, _ connection: borrowing Connection
  ) throws -> (text: String, isOnMap: Bool) {
    let name = try connection.first(
      "SELECT name FROM device WHERE id = ? AND hidden = 0", [.text(reported.device)]
    ) { $0.text(0) }
    let category = try category(reported.category, connection)
    let shown = try name.map {
      try names.shown(of: reported.device, in: language, connection) ?? $0
    }
    // A name that repeats the category has it in the language of the reader.
    let device = shown.map { $0 == name ? "\($0) (\(category))" : $0 } ?? category
    let line = Message("mail.watch.\(reported.event.rawValue)", ["device": device])
    return (catalogue.text(line, in: language), name != nil)
  }

  private func category(_ number: UInt8, _ connection: borrowing Connection) throws -> String {
    let code = vocabulary.categories.first { $0.number == number }?.code ?? "other"
    return try TaxonomyStore().words(Scheme.categories.rawValue, code, in: language, connection)?
      .label
      ?? code
  }
}
