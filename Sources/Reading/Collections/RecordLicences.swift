import PrivacyMap
import Reference
import Service
import SpatialDatabase

/// The licences of an instance's devices: the instance's own first, then the licences of the sources.
struct RecordLicences {
  /// The licence of contributions to this instance.
  let own: String
  let addresses: Addresses

  /// The page that explains the licences of the data.
  var page: String { addresses.url("/about#data") }

  /// Each licence with the address of its text, or of a page of its source. A licence without any address
  /// is left out.
  func all(_ connection: borrowing Connection) throws -> [(name: String, url: String)] {
    let sources = try connection.rows(SourceStore.credited) { ($0.text(1), $0.optionalText(3)) }
    let first: (String, String?) = (own, page)
    var seen: Set<String> = []
    return ([first] + sources).compactMap { name, page in
      guard let url = LicenceAddress.url(of: name) ?? page, seen.insert(url).inserted else {
        return nil
      }
      return (name, url)
    }
  }
}
