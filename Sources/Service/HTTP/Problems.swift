package import JSON
package import WebServer

/// An error with translated messages in the catalogue.
package protocol TranslatedError: HTTPError {
  /// The main sentence of the response.
  var message: Message { get }
  /// The invalid fields, with a sentence for each.
  var fieldMessages: [(name: String, message: Message)] { get }
}

extension TranslatedError {
  package var detail: String { message.key }
  package var fieldMessages: [(name: String, message: Message)] { [] }
}

extension InvalidInput: TranslatedError {
  package var message: Message {
    hasMore
      ? Catalogue.manyFaults
      : fields.first?.message ?? Message("error.bad_request")
  }
  package var members: [(key: String, value: JSONValue)] {
    hasMore ? [FieldError.more] : []
  }
  package var fieldMessages: [(name: String, message: Message)] { fields }
  package var detail: String { message.key }
}

extension NotFound: TranslatedError {
  package var status: Status { .notFound }
}

extension Catalogue {
  /// There are more errors than the response lists.
  static let manyFaults = Message("error.many_faults", ["count": "\(FieldError.maximum)"])

  /// The texts of a problem in the language of the request.
  package func problemText(_ error: any HTTPError, _ request: Request) -> ProblemText {
    let language = language(of: request)
    var text = ProblemText(error)
    let title = Message("error.title.\(error.status.code)")
    if has(title.key, in: Self.defaultLanguage) { text.title = self.text(title, in: language) }
    if let error = error as? any TranslatedError {
      text.detail = self.text(error.message, in: language)
      text.fields = error.fieldMessages.map { field in
        FieldError(field: field.name, detail: self.text(field.message, in: language))
      }
    } else if error is Problem {
      translateRouter(&text, error, language)
    }
    return text
  }

  /// Translates the router's own errors: the router has no translations, and it names fields for
  /// one reason only.
  private func translateRouter(
    _ text: inout ProblemText, _ error: any HTTPError, _ language: String
  ) {
    var detail = Message("error.detail.\(error.status.code)")
    if error.status == .badRequest, !error.fields.isEmpty {
      detail = Message("error.unknown_parameter")
      for place in text.fields.indices {
        text.fields[place].detail = self.text(detail, in: language)
      }
      if error.members.contains(where: { $0.key == FieldError.more.key }) {
        detail = Self.manyFaults
      }
    }
    if has(detail.key, in: Self.defaultLanguage) { text.detail = self.text(detail, in: language) }
  }

  /// The language in `lang`, or the best match for `Accept-Language`.
  package func language(of request: Request) -> String {
    if let asked = request.query["lang"], languages.contains(asked) { return asked }
    return language(accepting: request.headers["Accept-Language"])
  }
}
