import Contributions
import Devices
import PrivacyMap
import SpatialDatabase

/// The findings of ``ProposalCaution`` about an open proposal, stored with its rows.
///
/// Comparing 500 rows takes up to 150 ms, so a proposal is compared when it is sent, and again when someone opens it
/// more than ``lifetime`` after the last comparison. Of several requests at once, one compares; the others show the
/// stored result.
struct ProposalComparison {
  let map: LiveMap
  private var store: ProposalStore { ProposalStore() }

  /// Seconds for which findings are shown.
  static let lifetime: Int64 = 600

  /// Compares an open proposal again if its findings are old.
  func refresh(_ proposal: Proposal) throws {
    let now = map.environment.now()
    let limit = now.later(-Self.lifetime)
    guard proposal.state == .open, proposal.comparedAt.map({ $0 <= limit.text }) ?? true else {
      return
    }
    let isOurs = try map.database.write { connection in
      try store.beginComparing(proposal, at: now, connection)
    }
    guard isOurs else { return }
    let (rows, findings) = try map.database.readPrivate { connection in
      let rows = try store.rows(of: proposal.rowid, connection)
      return (
        rows, try ProposalCaution(map: map).findings(about: rows.map(\.device), connection)
      )
    }
    let numbers = rows.map(\.number)
    try map.database.write { connection in
      try store.keep(findings, about: numbers, of: proposal.rowid, connection)
    }
  }

  /// Adds the present names of duplicates to rows, without devices that are no longer public.
  func complete(_ rows: inout [ProposedRow], _ connection: borrowing Connection) throws {
    let ids = Set(rows.flatMap { $0.found.map(\.id) })
    guard !ids.isEmpty else { return }
    let names = try LikelyDuplicates.publicNames(of: ids, connection)
    for place in rows.indices {
      rows[place].caution.duplicates = rows[place].found.compactMap { found in
        names[found.id].map {
          ProposalCaution.Duplicate(id: found.id, name: $0, distance: found.distance)
        }
      }
    }
  }
}
