package import PrivacyMap
package import WebServer

/// What is wrong with a request, field by field.
///
/// Becomes a 400 or 422 problem whose `errors` name the fields. Where there are more than ``most`` faults,
/// it names the first and says that there are more, so that no answer is longer than its request.
package struct InvalidInput: Error, Sendable {
  /// Faults that are told.
  package static let most = FieldError.most

  /// The fields at fault and what is wrong with each, the first ``most``.
  package private(set) var fields: [(name: String, message: Message)]
  /// Whether there are more faults than `fields` has.
  package private(set) var hasMore = false
  /// 400 where the request is malformed, 422 where a value in it is refused.
  package var status = Status.badRequest

  package init(_ name: String, _ message: Message) {
    fields = [(name, message)]
  }

  package init(_ fields: [(name: String, message: Message)], status: Status) {
    self.fields = Array(fields.prefix(Self.most))
    hasMore = fields.count > Self.most
    self.status = status
  }

  /// `value` is not among the codes that `name` takes.
  package static func unknownCode(_ name: String, _ value: String) -> InvalidInput {
    InvalidInput(name, Message("error.unknown_code", ["value": PlainText.clipped(value)]))
  }
}

/// A thing that is not there: a 404 with a sentence.
package struct NotFound: Error, Sendable {
  package let message: Message
  package init(_ message: Message) { self.message = message }

  package static let device = NotFound(Message("error.not_found.device"))
  package static let collection = NotFound(Message("error.not_found.collection"))
  package static let tile = NotFound(Message("error.not_found.tile"))
  package static let scheme = NotFound(Message("error.not_found.scheme"))
}

extension InvalidLocation {
  /// What is wrong, in a sentence.
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
