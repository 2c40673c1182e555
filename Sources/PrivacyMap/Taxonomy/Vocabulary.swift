/// The codes that devices of one instance are described with, and where each stands in the index.
///
/// It holds no words: labels and definitions are looked up by language where they are shown.
package struct Vocabulary: Sendable {
  /// One category, such as `camera_fixed`.
  package struct Category: Sendable {
    package let code: String
    /// The category's place in the point index, 0 through 254.
    package let number: UInt8
    /// Stands in homes: its precision is one kilometre unless its author chooses otherwise.
    package let isHousehold: Bool
    /// Months after which a device asks to be looked at again.
    package let staleMonths: Int
    /// Codes of data that such a device typically collects; assumed until somebody says so.
    package let collects: [String]

    package init(
      code: String, number: UInt8, isHousehold: Bool, staleMonths: Int, collects: [String]
    ) {
      self.code = code
      self.number = number
      self.isHousehold = isHousehold
      self.staleMonths = staleMonths
      self.collects = collects
    }
  }

  /// One term of any other scheme.
  package struct Term: Sendable {
    package let code: String
    /// The term's place in its scheme, given once and never reused.
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
  private let categoryByCode: [String: Category]
  private let termsByScheme: [String: [Term]]
  private let termByCode: [String: [String: Term]]

  package init(categories: [Category], terms: [String: [Term]]) {
    self.categories = categories
    categoryByCode = Dictionary(categories.map { ($0.code, $0) }) { first, _ in first }
    termsByScheme = terms
    termByCode = terms.mapValues { list in
      Dictionary(list.map { ($0.code, $0) }) { first, _ in first }
    }
  }

  package func category(_ code: String) -> Category? { categoryByCode[code] }

  /// The code of the category at a place in the point index.
  package func categoryCode(number: UInt8) -> String? {
    categories.first { $0.number == number }?.code
  }

  package func terms(of scheme: Scheme) -> [Term] { termsByScheme[scheme.rawValue] ?? [] }

  package func contains(_ code: String, in scheme: Scheme) -> Bool {
    scheme == .categories
      ? categoryByCode[code] != nil : termByCode[scheme.rawValue]?[code] != nil
  }

  /// The place of a term in its scheme.
  package func number(of code: String, in scheme: Scheme) -> Int? {
    termByCode[scheme.rawValue]?[code]?.number
  }

  /// The bits of `codes` in a scheme of at most 32 terms; codes that are not in it count for
  /// nothing.
  package func bits(_ codes: some Sequence<String>, in scheme: Scheme) -> UInt32 {
    codes.reduce(0) { bits, code in
      guard let number = number(of: code, in: scheme), (0..<32).contains(number) else {
        return bits
      }
      return bits | 1 << UInt32(number)
    }
  }

  /// `code` and every term below it: who asks for `visual` also means `video`.
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
    // A chain of parents is as long as the scheme at most, even where a file closes it to a ring.
    for _ in terms(of: scheme) {
      guard let parent = termByCode[scheme.rawValue]?[found]?.parent else { return found }
      found = parent
    }
    return found
  }

  /// `codes` without doubles and in the order of their scheme, as they are stored.
  package func canonical(_ codes: [String], in scheme: Scheme) -> [String] {
    Set(codes).sorted {
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
