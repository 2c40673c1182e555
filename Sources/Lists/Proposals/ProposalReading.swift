import Devices
import Import
import PrivacyMap
import Reference
import Service
import SpatialDatabase
import WebServer

/// The devices of a list that a contributor sent, and the reasons why other rows are not devices. Nothing is stored.
struct ProposalReading: Sendable {
  /// A row that does not become a device.
  struct Refused: Sendable {
    let row: Int
    /// `skipped` or `refused`.
    let severity: String
    let note: ImportNote
  }

  private(set) var counts = Proposal.Counts()
  private(set) var devices: [ImportedDevice] = []
  /// The first of them.
  private(set) var refused: [Refused] = []
  let format: String

  /// The limits of reading a list of a contributor. A file of 500 devices with every property has about 1 MiB.
  static let bytes = 4 << 20
  static let unpackedBytes = 64 << 20
  private static let duration = Duration.seconds(10)
  /// The maximum number of rows read. Rows that the mapping leaves out count, too.
  private static let maxRows = 5_000
  private static let maxRefused = 100

  private struct TooMany: Error {}

  /// - Throws: a 422 that names the field `file`.
  init(_ file: ByteSource, _ mapping: ImportMapping, _ map: LiveMap) throws {
    let names = try map.database.read { try TaxonomyStore().categoryNames($0) }
    let mapper = RowMapper(
      mapping: mapping.withoutIdentities, vocabulary: map.vocabulary, categoryNames: names,
      today: map.environment.now().day, countries: map.countries)
    var options = mapping.reading
    options.deadline = .now + Self.duration
    let reader = ImportReader(file.limited(toUnpacked: Self.unpackedBytes), options: options)
    var rows = Rows()
    do {
      format = try reader.format().rawValue
      try reader.forEachRow { row in
        rows.counts.rows += 1
        guard rows.counts.rows <= Self.maxRows else { throw TooMany() }
        for outcome in mapper.outcomes(for: row) { rows.take(outcome, maximum: Self.maxRefused) }
        guard rows.devices.count <= Proposal.maximum else { throw TooMany() }
      }
    } catch is TooMany {
      throw Self.refusal("error.proposal.rows", ["maximum": "\(Proposal.maximum)"])
    } catch is ImportReader.OutOfTime {
      throw Self.refusal("error.proposal.slow", ["seconds": "\(Self.duration.components.seconds)"])
    } catch let failure as ImportFailure {
      throw Self.refusal("error.import.unreadable", ["reason": failure.description])
    }
    (counts, devices, refused) = (rows.counts, rows.devices, rows.refused)
  }

  private static func refusal(_ key: String, _ arguments: [String: String]) -> InvalidInput {
    InvalidInput.refused("file", key, arguments)
  }

  /// The rows so far.
  private struct Rows {
    var counts = Proposal.Counts()
    var devices: [ImportedDevice] = []
    var refused: [Refused] = []
    private var keys = ImportKeys()

    mutating func take(_ outcome: ImportOutcome, maximum: Int) {
      switch outcome {
      case .device(var device):
        guard keys.key(of: device) != nil else {
          let note = ImportNote(
            .refused, field: "key", code: "same_key",
            detail: "An earlier row of this file has the same key.")
          return refuse(device.row, note, maximum)
        }
        device.otherKeys = []
        counts.devices += 1
        if !device.notes.isEmpty { counts.flagged += 1 }
        devices.append(device)
      case .skipped(let refusal):
        counts.skipped += 1
        add(Refused(row: refusal.row, severity: "skipped", note: refusal.reason), maximum)
      case .refused(let refusal): refuse(refusal.row, refusal.reason, maximum)
      }
    }

    private mutating func refuse(_ row: Int, _ note: ImportNote, _ maximum: Int) {
      counts.refused += 1
      add(Refused(row: row, severity: "refused", note: note), maximum)
    }

    private mutating func add(_ row: Refused, _ maximum: Int) {
      if refused.count < maximum { refused.append(row) }
    }
  }
}
