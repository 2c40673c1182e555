package import PrivacyMap
package import WebServer

/// The errors of a request, field by field.
///
/// Becomes a 400 or 422 problem whose `errors` name the fields. If there are more than ``maximum`` errors, it
/// lists the first ones and states that there are more, so that a response is never longer than its
/// request.
package struct InvalidInput: Error, Sendable {
  /// The maximum number of errors in a response.
  package static let maximum = FieldError.maximum

  /// The invalid fields with an error message each; the first ``maximum`` of them.
  package private(set) var fields: [(name: String, message: Message)]
  /// Whether there are more errors than `fields` contains.
  package private(set) var hasMore = false
  /// 400 for a malformed request, 422 for a refused value.
  package var status = Status.badRequest

  package init(_ name: String, _ message: Message) {
    fields = [(name, message)]
  }

  package init(_ fields: [(name: String, message: Message)], status: Status) {
    self.fields = Array(fields.prefix(Self.maximum))
    hasMore = fields.count > Self.maximum
    self.status = status
  }

  /// A value that is refused, with its reason: a 422 problem.
  package static func refused(
    _ name: String, _ reason: String, _ facts: [String: String] = [:]
  ) -> InvalidInput {
    InvalidInput([(name, Message(reason, facts))], status: .unprocessableContent)
  }

  /// `value` is not one of the codes that `name` accepts.
  package static func unknownCode(_ name: String, _ value: String) -> InvalidInput {
    InvalidInput(name, Message("error.unknown_code", ["value": PlainText.clipped(value)]))
  }
}

/// A resource that does not exist: a 404 with a sentence.
package struct NotFound: Error, Sendable {
  package let message: Message
  package init(_ message: Message) { self.message = message }

  package static let device = NotFound(Message("error.not_found.device"))
  package static let collection = NotFound(Message("error.not_found.collection"))
  package static let tile = NotFound(Message("error.not_found.tile"))
  package static let scheme = NotFound(Message("error.not_found.scheme"))
}

extension InvalidLocation {
  /// The error as a sentence.
  package var message: Message {
    switch self {
    case .longitude(let text): Message("error.longitude", ["value": text])
    case .latitude(let text): Message("error.latitude", ["value": text])
    case .wrongCount(let count, let expected):
      Message("error.number_count", ["count": "\(count)", "expected": expected])
    case .notANumber(let text): Message("error.number", ["value": text])
    case .swappedLatitudes: Message("error.swapped_latitudes")
    }
  }
}
