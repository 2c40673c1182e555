import JSON
import PrivacyMap
import Service

/// The terms of a choice for a device: a right or an offer of the operator, the letter, and the time
/// limit of an answer (docs/reference/rights.md, “From a device to a letter”).
struct ChoiceTerms: Sendable {
  let right: String?
  /// Nil if no letter can be written because the applicable law is unknown.
  let letter: String?
  let regime: String?
  let first: Period
  let longer: Period?
  /// `statutory`, `courtesy` or `authority`.
  let basis: String

  /// The reason why a choice is not available.
  enum Refusal: Error {
    /// No letter can request it.
    case nothing
    /// It can only follow another choice.
    case later
    /// The applicable law is unknown, and the device does not offer the choice.
    case noLaw
    /// The right does not apply under the legal basis of the device.
    case basis
    /// The law does not cover such devices.
    case outside
  }
}

extension ChoiceTerms {
  /// The period to request where no law sets one.
  private static let courtesy = Period.months(1)

  /// `offered` is the offer of the device for this kind.
  ///
  /// - Throws: ``Refusal``.
  init(
    _ kind: String, of device: ChosenDevice, in place: LegalPlace, offered: OfferedChoice?,
    by book: RightsBook
  ) throws(Refusal) {
    let legalBasis = device.legalBasis == "none_stated" ? nil : device.legalBasis
    let way = (book.ways[kind] ?? []).first { way in
      guard let bases = way.legalBases else { return true }
      return legalBasis.map { bases.contains($0) } ?? false
    }
    guard let way else { throw .nothing }
    if way.right == "complain" { throw .later }
    guard let regime = book.regime(in: place) else {
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
    guard book.applies(law, to: device.operatorKind) else { throw .outside }
    self.init(
      right: code, letter: law["letter"]?.stringValue ?? right.letter, regime: regime,
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
  /// The reason as a message.
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
