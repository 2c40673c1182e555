internal import Locking
package import Logging
package import PrivacyMap
package import SpatialDatabase

/// A part of an instance, made once and shared by its features: a feature, or a value that several features use.
package protocol InstancePart: Sendable {
  /// Creates the part from other parts of the instance, which are created first where needed.
  init(_ instance: Instance) throws
}

/// The database, settings and services that all features of an instance share. Features find each other here.
///
/// Every feature is created from it alone, so that a new feature adds one line to the list of features and changes no
/// other place. It is used while an instance starts; features keep the parts that they need.
@dynamicMemberLookup
package final class Instance: Sendable {
  /// The parts that every instance has.
  package struct Base: Sendable {
    package let database: Database
    package let environment: Environment
    package let settings: InstanceSettings
    package let folders: Folders
    package let addresses: Addresses
    package let catalogue: Catalogue
    /// The logger of the instance, observed for the overview of recent errors.
    package let logger: Logger
    /// Serialises all writes from request handlers.
    package let writes: GroupedWriter
    package let publicChanges: PublicChanges
    package let versions: AnswerVersions
    package let gate: Gate
    package let rates: RateLimits
    package let frame: PageFrame
    package let pages: ResourcePages

    package init(
      database: Database, environment: Environment, settings: InstanceSettings, folders: Folders,
      addresses: Addresses, catalogue: Catalogue, logger: Logger, writes: GroupedWriter,
      publicChanges: PublicChanges, versions: AnswerVersions, gate: Gate, rates: RateLimits,
      frame: PageFrame, pages: ResourcePages
    ) {
      (self.database, self.environment, self.settings) = (database, environment, settings)
      (self.folders, self.addresses, self.catalogue) = (folders, addresses, catalogue)
      (self.logger, self.writes, self.publicChanges) = (logger, writes, publicChanges)
      (self.versions, self.gate, self.rates) = (versions, gate, rates)
      (self.frame, self.pages) = (frame, pages)
    }
  }

  private let base: Base
  /// Encrypts the links in queued mails.
  package let mailSeal: MailSeal
  /// Begins when the instance stops; long work then ends early.
  package let stopping = Stopping()
  /// The kinds of all features, in the order of the documentation.
  package let features: [any Feature.Type]
  private let parts: Locked<[ObjectIdentifier: any Sendable]>
  /// The kinds of the parts that are being made.
  private let begun = Locked<Set<ObjectIdentifier>>([])

  /// `given` are parts that do not make themselves; each is found by its type.
  package init(
    _ base: Base, features: [any Feature.Type], given: [any Sendable] = []
  ) {
    self.base = base
    self.features = features
    mailSeal = MailSeal(of: base.database, now: base.environment.now)
    parts = Locked(
      Dictionary(given.map { (ObjectIdentifier(type(of: $0)), $0) }) { _, last in last })
  }

  package subscript<Part>(dynamicMember part: KeyPath<Base, Part>) -> Part { base[keyPath: part] }

  /// A queue for the mails of a feature.
  package var mails: MailQueue { MailQueue(now: base.environment.now, seal: mailSeal) }

  /// All retention periods of personal data. Data that a user deletes personally has no period.
  package var retention: [RetentionRule] { features.flatMap { $0.retention } }

  /// The secret of this instance for one use, made on first use.
  package func secret(_ use: InstanceSecret.Purpose) throws -> [UInt8] {
    let now = base.environment.now()
    return try base.database.write { try InstanceSecret.read(use, $0, now: now) }
  }

  /// The part of a type that was passed to the instance.
  ///
  /// - Throws: ``MissingPart``.
  package func given<Part: Sendable>(_ type: Part.Type = Part.self) throws -> Part {
    guard let part = parts.withLock({ $0[ObjectIdentifier(type)] }) as? Part else {
      throw MissingPart(name: "\(type)")
    }
    return part
  }

  /// The part of a type, made on first use.
  ///
  /// - Throws: The error of the part whose creation failed; ``MissingPart`` if two parts need each other.
  package func part<Part: InstancePart>(_ type: Part.Type = Part.self) throws -> Part {
    let key = ObjectIdentifier(type)
    if let part = parts.withLock({ $0[key] }) as? Part { return part }
    guard begun.withLock({ $0.insert(key).inserted }) else { throw MissingPart(name: "\(type)") }
    let part = try Part(self)
    parts.withLock { $0[key] = part }
    return part
  }
}

/// A part that an instance does not have, or that needs itself.
package struct MissingPart: Error, CustomStringConvertible {
  let name: String

  package init(name: String) { self.name = name }

  package var description: String { "the instance has no part \(name)" }
}
