/// The web address of the text of a licence.
package enum LicenceAddress {
  /// Identifiers of licences for data (SPDX License List, and the word of GovData), and their addresses.
  private static let known = [
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-3.0": "https://creativecommons.org/licenses/by/3.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
    "CC-BY-SA-3.0": "https://creativecommons.org/licenses/by-sa/3.0/",
    "CC-BY-SA-4.0": "https://creativecommons.org/licenses/by-sa/4.0/",
    "ODbL-1.0": "https://opendatacommons.org/licenses/odbl/1-0/",
    "ODC-By-1.0": "https://opendatacommons.org/licenses/by/1-0/",
    "PDDL-1.0": "https://opendatacommons.org/licenses/pddl/1-0/",
    "OGL-UK-3.0":
      "https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/",
    "etalab-2.0": "https://www.etalab.gouv.fr/licence-ouverte-open-licence/",
    "dl-de/by-2-0": "https://www.govdata.de/dl-de/by-2-0",
    "dl-de/zero-2-0": "https://www.govdata.de/dl-de/zero-2-0",
  ]

  /// The identifiers of the known licences.
  package static let identifiers = Set(known.keys)
  /// The licences under which derived data must be shared alike.
  package static let sharesAlike: Set<String> = ["CC-BY-SA-3.0", "CC-BY-SA-4.0", "ODbL-1.0"]

  /// - Parameter licence: an identifier, the word of a publisher, or the address itself.
  /// - Returns: nil if the licence has no known address.
  package static func url(of licence: String) -> String? {
    if licence.hasPrefix("https://") || licence.hasPrefix("http://") { return licence }
    return known[licence]
  }
}
