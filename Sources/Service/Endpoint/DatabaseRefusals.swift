package import Logging
import SpatialDatabase
package import WebServer

/// The responses of all endpoints and pages when the database fails.
///
/// If its time limit or a reason that may pass ended a request, the request is refused instead of failing with an
/// internal error.
package struct DatabaseRefusals: Sendable {
  private let logger: Logger

  package init(logger: Logger) { self.logger = logger }

  /// The refusal of a request that failed with `error`; nil if the error is not one of these.
  package func refusal(_ error: any Error, isRead: Bool) -> (any HTTPError)? {
    guard let fault = error as? DatabaseFault else { return nil }
    if fault.kind == .interrupted {
      logger.warning("a request took too long", metadata: ["error": "\(fault)"])
      return Refusal.tookTooLong
    }
    guard fault.isOfStorage else { return nil }
    return isRead ? readingImpossible(fault) : savingImpossible(fault)
  }

  private func readingImpossible(_ fault: DatabaseFault) -> Refusal {
    logger.error("the database cannot be read", metadata: ["error": "\(fault)"])
    return .readingImpossible
  }

  private func savingImpossible(_ fault: DatabaseFault) -> Refusal {
    if fault.kind == .unknownOutcome {
      logger.error("the outcome of a write is unknown", metadata: ["error": "\(fault)"])
      return .outcomeUnknown
    }
    logger.error("nothing can be saved", metadata: ["error": "\(fault)"])
    return .savingImpossible
  }
}

extension DatabaseFault {
  /// Whether writes are impossible for a reason that may pass or can be repaired: the disk, the file, a newer schema, a
  /// database that is behind, or overload.
  fileprivate var isOfStorage: Bool {
    switch kind {
    case .diskFull, .ioError, .busy, .closed, .transactionLost, .readOnly, .misplaced, .corrupt,
      .unreadable, .unreachable, .unknownOutcome, .conflict, .newerSchema,
      .behind:
      true
    default: false
    }
  }
}
