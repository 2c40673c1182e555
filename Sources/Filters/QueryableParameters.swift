package import CQL2
import JSON
import PrivacyMap
package import Service
package import WebServer

/// Query parameters named like queryables (OGC API – Features Part 3, 19-079r2, “Queryables as Query
/// Parameters”): `manufacturer=Axis` has the same meaning as `filter=manufacturer='Axis'`.
///
/// A repeated parameter matches any of its values. GIS programs send a condition to the server only
/// if such a parameter is declared.
package struct QueryableParameters {
  package let fields: [String: FilterField]

  /// - Parameters:
  ///   - fields: the queryables of a collection.
  ///   - names: the parameters that the collection declares itself.
  package init(_ fields: [String: FilterField], except names: some Sequence<String>) {
    let taken = Set(names)
    self.fields = fields.filter { name, field in
      field.kind != .geometry && !taken.contains(name)
    }
  }

  package var declared: [Parameter] {
    fields.sorted { $0.key < $1.key }.map { name, field in
      .query(
        name, .repeated(field.kind.parameterSchema),
        field.kind == .texts
          ? "Those whose `\(name)` holds any of these." : "Those whose `\(name)` is any of these.")
    }
  }

  /// The conditions in a query, possibly empty.
  ///
  /// - Throws: ``InvalidInput`` with the name of the invalid parameter.
  package func conditions(_ query: Query) throws(InvalidInput) -> [Filter] {
    var conditions: [Filter] = []
    for name in query.names {
      guard let field = fields[name] else { continue }
      let texts = query.values(name)
      guard texts.count <= 300 else { throw InvalidInput(name, Message("error.too_many_values")) }
      var values: [Operand] = []
      for text in texts { values.append(try Self.value(text, of: field.kind, name)) }
      conditions.append(
        field.kind == .texts
          ? .array(.overlaps, .property(name), .list(values)) : .oneOf(.property(name), values))
    }
    return conditions
  }

  private static func value(
    _ text: String, of kind: FilterField.Kind, _ name: String
  ) throws(InvalidInput) -> Operand {
    switch kind {
    case .text, .texts, .geometry:
      guard !text.isEmpty, text.unicodeScalars.count <= 200 else {
        throw InvalidInput(name, Message("error.text_length", ["maximum": "200"]))
      }
      return .text(text)
    case .number:
      // Numbers as in JSON: no hexadecimal numbers, no infinities.
      guard let number = try? JSONValue(parsing: Array(text.utf8)).numberValue else {
        throw InvalidInput(name, Message("error.number", ["value": PlainText.clipped(text)]))
      }
      return .number(number)
    case .boolean:
      guard let value = Bool(text) else {
        throw .unknownCode(name, text)
      }
      return .boolean(value)
    case .date:
      guard let day = Day(text: text) else { throw InvalidInput(name, Message("error.day")) }
      return .date(day)
    case .timestamp:
      if let day = Day(text: text) { return .date(day) }
      guard let moment = Moment(text: text) else {
        throw InvalidInput(name, Message("error.datetime"))
      }
      return .timestamp(moment)
    }
  }
}

extension FilterField.Kind {
  fileprivate var parameterSchema: Parameter.Schema {
    switch self {
    case .text, .texts, .geometry: .text()
    case .number: .number
    case .boolean: .boolean
    case .date: .date
    // A day means all its times, so the value is a text in either form.
    case .timestamp: .text(maxLength: 40)
    }
  }
}
