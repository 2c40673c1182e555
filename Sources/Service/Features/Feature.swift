import JSON
package import Metrics
package import SpatialDatabase

/// One part of the product, and everything that it contributes to the application.
///
/// The application is a list of features. Nothing is registered in a second place.
package protocol Feature: InstancePart {
  /// The lists that it contributes to the export of all data about a person.
  static var exports: [ExportSection] { get }
  /// The retention periods of its personal data.
  static var retention: [RetentionRule] { get }
  /// The treatment of its personal data after a restore.
  static var restores: [RestoreRule] { get }
  /// Statements that erase the rows of an account, for tables in which an account can have many rows.
  /// Each changes at most 50 rows, whose only parameter is the account; it is repeated until it changes none.
  static var portions: [String] { get }

  /// The names of its targets in the log of moderation.
  static var logNames: [LogName] { get }
  /// Numbers on public profiles, from its tables.
  static var personCounts: [PersonCount] { get }
  /// The kinds of contributions in its tables.
  static var personContributions: [PersonContribution] { get }
  /// The items that wait for moderators on separate pages.
  static var pending: [PendingCount] { get }

  /// Erases the data of an account, within the transaction that deletes the account.
  static func erase(_ account: ErasedAccount, _ connection: borrowing Connection) throws

  /// Its operations of the HTTP interface.
  var endpoints: [Endpoint] { get }
  /// The schemas of its requests and responses, for the OpenAPI document.
  var schemas: [Schema] { get }
  var jobs: [Job] { get }
  /// Repeats an erasure that a restored backup has undone. Returns whether the database still contained
  /// the object, or the former value of the setting; nil for an object that belongs to another feature.
  func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool?
  /// Ends or replaces what may have ended since the backup that was restored, beyond the rows whose
  /// ``RestoreRule`` says that they end.
  func settleRestore(_ connection: borrowing Connection) throws
  var metrics: [MetricFamily] { get }
  /// Its queues of requests, which are measured; their names are labels of metrics.
  var queues: [(name: String, queue: any MeasuredQueue)] { get }
  /// Starts the background work that is not a job.
  func start()
  /// Ends that work, and refuses later work. The instance then stops its writes.
  func stop()
}

extension Feature {
  package static var exports: [ExportSection] { [] }
  package static var retention: [RetentionRule] { [] }
  package static var restores: [RestoreRule] { [] }
  package static var portions: [String] { [] }
  package static var logNames: [LogName] { [] }
  package static var personCounts: [PersonCount] { [] }
  package static var personContributions: [PersonContribution] { [] }
  package static var pending: [PendingCount] { [] }
  package static func erase(_ account: ErasedAccount, _ connection: borrowing Connection) throws {}

  package var endpoints: [Endpoint] { [] }
  package var schemas: [Schema] { [] }
  package var jobs: [Job] { [] }
  package var metrics: [MetricFamily] { [] }
  package var queues: [(name: String, queue: any MeasuredQueue)] { [] }
  package func start() {}
  package func stop() {}
  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? { nil }
  package func settleRestore(_ connection: borrowing Connection) throws {}

  /// A schema by its name in the OpenAPI document.
  package typealias Schema = JSONSchema.Named
}
