import JSON
import PrivacyMap

/// Where a choice for a device leads: a right or what is offered, a letter, and how long an answer may
/// take (docs/rights.md, “From a device to a letter”).
struct ChoiceTerms: Sendable {
  let right: String?
  /// Nil where no letter can be written, since nobody knows the law.
  let letter: String?
  let regime: String?
  let first: Period
  let longer: Period?
  /// `statutory`, `courtesy` or `authority`.
  let basis: String

  /// Why there is no such choice.
  enum Refusal: Error {
    /// Nothing can be asked for by letter.
    case nothing
    /// It follows another choice.
    case later
    /// Nobody knows the law, and the device does not offer it.
    case noLaw
    /// The right is not given under the legal basis of the device.
    case basis
    /// The law leaves such devices out.
    case outside
  }
}

extension ChoiceTerms {
  /// What is asked where no law sets it.
  private static let courtesy = Period.months(1)

  /// `offered` is what the device offers of this kind.
  ///
  /// - Throws: ``Refusal``.
  init(
    _ kind: String, of device: ChosenDevice, in country: String?, offered: OfferedChoice?,
    by book: RightsBook
  ) throws(Refusal) {
    let legalBasis = device.legalBasis == "none_stated" ? nil : device.legalBasis
    let way = (book.ways[kind] ?? []).first { way in
      guard let bases = way.legalBases else { return true }
      return legalBasis.map { bases.contains($0) } ?? false
    }
    guard let way else { throw .nothing }
    if way.right == "complain" { throw .later }
    guard let regime = country.flatMap({ book.jurisdictions[$0]?.regime }) else {
      guard let offered else { throw .noLaw }
      self.init(offered: offered, regime: nil)
      return
    }
    if let legalBasis, book.outside(regime).contains(legalBasis) { throw .outside }
    guard let code = way.right else {
      self.init(offered: offered, regime: regime)
      return
    }
    guard let right = book.right(code), let law = book.law(code, under: regime) else {
      throw .nothing
    }
    guard right.isGiven(under: legalBasis) else { throw .basis }
    self.init(
      right: code, letter: right.letter, regime: regime,
      first: law["deadline"]?.stringValue.flatMap { Period(text: $0) } ?? Self.courtesy,
      longer: law["extension"]?.stringValue.flatMap { Period(text: $0) },
      basis: law["deadline_basis"]?.stringValue ?? "courtesy")
  }

  private init(offered: OfferedChoice?, regime: String?) {
    self.init(
      right: nil, letter: regime == nil ? nil : "offered", regime: regime,
      first: offered?.deadlineDays.map { .days(max(1, $0)) } ?? Self.courtesy, longer: nil,
      basis: "courtesy")
  }
}

extension ChoiceTerms.Refusal {
  /// Why, in a sentence.
  var message: Message {
    switch self {
    case .nothing: Message("error.choice.nothing")
    case .later: Message("error.choice.later")
    case .noLaw: Message("error.choice.no_law")
    case .basis: Message("error.choice.basis")
    case .outside: Message("error.choice.outside")
    }
  }
}
