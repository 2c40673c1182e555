/// The codes that describe devices on one instance, and their numbers in the index.
///
/// It contains no texts: labels and definitions are looked up by language where they are displayed.
package struct Vocabulary: Sendable {
  /// One category, such as `camera_fixed`.
  package struct Category: Sendable {
    package let code: String
    /// The number of the category in the point index, 0 through 254.
    package let number: UInt8
    /// Typically found in homes. Its default precision is one kilometre, unless the author chooses
    /// another.
    package let isHousehold: Bool
    /// Months after which a device needs a new check.
    package let staleMonths: Int
    /// Codes of data that such a device typically collects. They are assumed until a contributor
    /// states the data.
    package let collects: [String]
    /// The words of each name and everyday name in all languages: lower case, without accents.
    package let names: [[String]]

    package init(
      code: String, number: UInt8, isHousehold: Bool, staleMonths: Int, collects: [String],
      names: [[String]] = []
    ) {
      self.code = code
      self.number = number
      self.isHousehold = isHousehold
      self.staleMonths = staleMonths
      self.collects = collects
      self.names = names
    }
  }

  /// One term of any other scheme.
  package struct Term: Sendable {
    package let code: String
    /// The number of the term in its scheme. It is assigned once and never reused.
    package let number: Int
    package let parent: String?

    package init(code: String, number: Int, parent: String?) {
      self.code = code
      self.number = number
      self.parent = parent
    }
  }

  /// Categories in order of display.
  package let categories: [Category]
  /// The categories of household devices.
  package let households: CodeSet
  private let categoryByCode: [String: Category]
  private let termsByScheme: [String: [Term]]
  private let termByCode: [String: [String: Term]]

  package init(categories: [Category], terms: [String: [Term]]) {
    self.categories = categories
    households = CodeSet(categories.filter(\.isHousehold).map(\.number))
    categoryByCode = Dictionary(categories.map { ($0.code, $0) }) { first, _ in first }
    termsByScheme = terms
    termByCode = terms.mapValues { list in
      Dictionary(list.map { ($0.code, $0) }) { first, _ in first }
    }
  }

  package func category(_ code: String) -> Category? { categoryByCode[code] }

  /// The code of the category with this number in the point index.
  package func categoryCode(number: UInt8) -> String? {
    categories.first { $0.number == number }?.code
  }

  package func terms(of scheme: Scheme) -> [Term] { termsByScheme[scheme.rawValue] ?? [] }

  package func contains(_ code: String, in scheme: Scheme) -> Bool {
    scheme == .categories
      ? categoryByCode[code] != nil : termByCode[scheme.rawValue]?[code] != nil
  }

  /// The number of a term in its scheme.
  package func number(of code: String, in scheme: Scheme) -> Int? {
    termByCode[scheme.rawValue]?[code]?.number
  }

  /// The bits of `codes` in a scheme of at most 32 terms. Unknown codes are ignored.
  package func bits(_ codes: some Sequence<String>, in scheme: Scheme) -> UInt32 {
    codes.reduce(0) { bits, code in
      guard let number = number(of: code, in: scheme), (0..<32).contains(number) else {
        return bits
      }
      return bits | 1 << UInt32(number)
    }
  }

  /// `code` and all terms below it: a search for `visual` includes `video`.
  package func withDescendants(of code: String, in scheme: Scheme) -> [String] {
    let terms = terms(of: scheme)
    var found = [code]
    var next = 0
    while next < found.count {
      let parent = found[next]
      found += terms.filter { $0.parent == parent && !found.contains($0.code) }.map(\.code)
      next += 1
    }
    return found
  }

  /// The topmost term above `code`, or the code itself.
  package func root(of code: String, in scheme: Scheme) -> String {
    var found = code
    // A chain of parents cannot be longer than the scheme, unless the file contains a cycle.
    for _ in terms(of: scheme) {
      guard let parent = termByCode[scheme.rawValue]?[found]?.parent else { return found }
      found = parent
    }
    return found
  }

  /// `codes` without duplicates and in the order of their scheme, as stored in the database.
  package func canonical(_ codes: [String], in scheme: Scheme) -> [String] {
    guard codes.count > 1 else { return codes }
    return Set(codes).sorted {
      (number(of: $0, in: scheme) ?? .max, $0) < (number(of: $1, in: scheme) ?? .max, $1)
    }
  }
}

/// A list of terms.
package struct Scheme: RawRepresentable, Hashable, Sendable {
  package let rawValue: String
  package init(rawValue: String) { self.rawValue = rawValue }

  package static let categories = Scheme(rawValue: "categories")
  package static let data = Scheme(rawValue: "data")
  package static let purposes = Scheme(rawValue: "purposes")
  package static let choices = Scheme(rawValue: "choices")
  package static let legalBases = Scheme(rawValue: "legal_bases")
  package static let identifiability = Scheme(rawValue: "identifiability")
  package static let processing = Scheme(rawValue: "processing")
  package static let storage = Scheme(rawValue: "storage")
  package static let signage = Scheme(rawValue: "signage")
  package static let zones = Scheme(rawValue: "zones")
  package static let mounts = Scheme(rawValue: "mounts")
}
