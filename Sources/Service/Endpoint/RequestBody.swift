internal import Foundation
package import JSON
package import PrivacyMap
internal import SpatialDatabase
package import WebServer

/// Reads the members of a JSON body one by one. Errors are collected and reported together, up to
/// ``InvalidInput/maximum``.
///
/// Malformed bodies (not JSON, unknown or missing members, wrong types) are 400; refused values are
/// 422.
package struct RequestBody {
  private let members: JSONObject
  private let prefix: String
  private var malformed: [(name: String, message: Message)] = []
  private var refused: [(name: String, message: Message)] = []

  /// The maximum number of errors to store of each kind, so that a body with very many costs no more.
  private static let maxKept = 200

  /// - Throws: a 415 or 400 when the body is not a JSON object, ``InvalidInput`` for unknown members.
  package init(
    _ request: Request, _ names: Set<String>, types: Set<String> = ["application/json"]
  ) throws {
    try self.init(Self.object(of: request, types: types), names, prefix: "")
  }

  /// The error of a handler that parses a body in a transaction, for which other writes wait.
  struct ParsedTooLate: Error {}

  /// The JSON object in a request.
  ///
  /// - Throws: a 415 if its type is not in `types`, a 400 if it is not a JSON object or has more than
  ///   `maximum` values, and ``ParsedTooLate`` in a transaction.
  package static func object(
    of request: Request, types: Set<String>, maximum: Int = JSONReadingOptions.request.maximumValues
  ) throws -> JSONObject {
    guard !WriteCondition.isWriting else { throw ParsedTooLate() }
    guard let type = request.mediaType, types.contains(type) else {
      throw Refusal(
        .unsupportedMediaType, "error.media_type", ["types": types.sorted().joined(separator: ", ")]
      )
    }
    guard let object = try parse(request.body, maximum: maximum).objectValue else {
      throw Refusal(.badRequest, "error.json_object")
    }
    return object
  }

  /// The members of a nested object; `prefix` is added to their names in errors.
  package init(_ object: JSONObject, _ names: Set<String>, prefix: String) throws {
    members = object
    self.prefix = prefix
    for member in object.members where !names.contains(member.key) {
      guard malformed.count < Self.maxKept else { break }
      malformed.append((prefix + PlainText.clipped(member.key), Message("error.unknown_member")))
    }
  }

  private static func parse(_ bytes: [UInt8], maximum: Int) throws -> JSONValue {
    var options = JSONReadingOptions.request
    options.maximumValues = maximum
    do { return try JSONValue(parsing: bytes, options: options) } catch {
      throw Refusal(
        .badRequest, "error.json", ["reason": error.reason, "offset": "\(error.offset)"])
    }
  }

  /// Whether a member is present, null or not.
  package func has(_ name: String) -> Bool { members[name] != nil }

  /// The value of a member; nil if missing or null.
  package func value(_ name: String) -> JSONValue? {
    guard let value = members[name], value != .null else { return nil }
    return value
  }

  /// A text within `length` Unicode scalars, trimmed; nil if missing, null or refused.
  package mutating func text(
    _ name: String, _ length: ClosedRange<Int>, isRequired: Bool = false, lines: Bool = false
  ) -> String? {
    guard let value = present(name, isRequired) else { return nil }
    guard let raw = value.stringValue else {
      fault(name, Message("error.type.text"))
      return nil
    }
    // A text this long is refused before trimming, so that long white space costs nothing.
    guard raw.utf8.count <= 4 * length.upperBound + 1_000 else {
      refuse(name, PlainText.tooLong(length))
      return nil
    }
    let text = PlainText.trimmed(raw)
    if let message = PlainText.fault(text, length, lines: lines) {
      if text.isEmpty && !isRequired { return nil }
      refuse(name, message)
      return nil
    }
    return text
  }

  /// A secret, exactly as entered.
  package mutating func secret(_ name: String, isRequired: Bool = true) -> String? {
    guard let value = present(name, isRequired) else { return nil }
    guard let text = value.stringValue else {
      fault(name, Message("error.type.text"))
      return nil
    }
    return text
  }

  package mutating func flag(_ name: String, isRequired: Bool = false) -> Bool? {
    guard let value = present(name, isRequired) else { return nil }
    if value.boolValue == nil { fault(name, Message("error.type.flag")) }
    return value.boolValue
  }

  package mutating func integer(
    _ name: String, _ range: ClosedRange<Int>, isRequired: Bool = false
  ) -> Int? {
    guard let value = present(name, isRequired) else { return nil }
    guard let number = value.intValue else {
      fault(name, Message("error.type.integer"))
      return nil
    }
    guard range.contains(number) else {
      refuse(name, Self.outside("\(range.lowerBound)", "\(range.upperBound)"))
      return nil
    }
    return number
  }

  package mutating func number(
    _ name: String, _ range: ClosedRange<Double>, isRequired: Bool = false
  ) -> Double? {
    guard let value = present(name, isRequired) else { return nil }
    guard let number = value.numberValue, number.isFinite else {
      fault(name, Message("error.type.number"))
      return nil
    }
    guard range.contains(number) else {
      refuse(name, Self.outside(Self.limit(range.lowerBound), Self.limit(range.upperBound)))
      return nil
    }
    return number
  }

  /// A time in RFC 3339.
  package mutating func time(_ name: String, isRequired: Bool = false) -> Timestamp? {
    guard let text = text(name, 1...40, isRequired: isRequired) else { return nil }
    guard let time = Timestamp(text: text) else {
      refuse(name, Message("error.timestamp"))
      return nil
    }
    return time
  }

  /// A time zone by its IANA name.
  package mutating func timeZone(_ name: String) -> String? {
    guard let zone = text(name, 1...60) else { return nil }
    guard zone == "UTC" || zone.contains("/"), !zone.contains(".."),
      TimeZone(identifier: zone) != nil
    else {
      refuse(name, Message("error.watch.time_zone"))
      return nil
    }
    return zone
  }

  /// One of a few codes.
  package mutating func code(
    _ name: String, _ codes: some Sequence<String>, isRequired: Bool = false
  ) -> String? {
    guard let value = present(name, isRequired) else { return nil }
    guard let text = value.stringValue else {
      fault(name, Message("error.type.text"))
      return nil
    }
    guard codes.contains(text) else {
      refuse(name, Message("error.unknown_code", ["value": PlainText.clipped(text)]))
      return nil
    }
    return text
  }

  /// One of the cases of an enumeration.
  package mutating func oneOf<Case: RawRepresentable<String> & CaseIterable>(
    _ name: String, isRequired: Bool = false
  ) -> Case? {
    code(name, Case.allCases.map(\.rawValue), isRequired: isRequired).flatMap(Case.init(rawValue:))
  }

  /// Distinct codes, at most `limit`; nil if the member is missing or null.
  package mutating func codes(
    _ name: String, _ codes: some Sequence<String>, limit: Int = 60
  ) -> [String]? {
    guard let value = present(name, false) else { return nil }
    guard let items = value.arrayValue, items.count <= limit else {
      fault(name, Message("error.type.codes", ["limit": "\(limit)"]))
      return nil
    }
    let known = Set(codes)
    var found: [String] = []
    for item in items {
      guard let text = item.stringValue, known.contains(text) else {
        refuse(
          name,
          Message("error.unknown_code", ["value": PlainText.clipped(item.stringValue ?? "")]))
        return nil
      }
      if !found.contains(text) { found.append(text) }
    }
    return found
  }

  /// A nested object; nil if missing or null.
  package mutating func object(
    _ name: String, _ names: Set<String>, isRequired: Bool = false
  ) throws -> RequestBody? {
    guard let value = present(name, isRequired) else { return nil }
    guard let object = value.objectValue else {
      fault(name, Message("error.type.object"))
      return nil
    }
    return try RequestBody(object, names, prefix: prefix + name + ".")
  }

  /// Adds the errors of a nested object.
  package mutating func take(_ inner: RequestBody) {
    malformed += inner.malformed.prefix(Self.maxKept - malformed.count)
    refused += inner.refused.prefix(Self.maxKept - refused.count)
  }

  /// Adds the errors about `names` from another reading of the same members.
  package mutating func take(_ other: RequestBody, about names: Set<String>) {
    func isMeant(_ fault: (name: String, message: Message)) -> Bool {
      names.contains(String(fault.name.prefix { $0 != "." && $0 != "[" }))
    }
    var meant = other
    meant.malformed.removeAll { !isMeant($0) }
    meant.refused.removeAll { !isMeant($0) }
    take(meant)
  }

  /// The same members, without errors.
  package var unread: RequestBody {
    var body = self
    body.malformed = []
    body.refused = []
    return body
  }

  /// Whether there is an error other than a refused value.
  package var isMalformed: Bool { !malformed.isEmpty }

  /// Adds an error for a malformed member: 400.
  package mutating func fault(_ name: String, _ message: Message) {
    if malformed.count < Self.maxKept { malformed.append((prefix + name, message)) }
  }

  /// Adds an error for a refused value: 422.
  package mutating func refuse(_ name: String, _ message: Message) {
    if refused.count < Self.maxKept { refused.append((prefix + name, message)) }
  }

  /// - Throws: ``InvalidInput`` with the errors, if there are any.
  package func check() throws {
    if !malformed.isEmpty { throw InvalidInput(malformed + refused, status: .badRequest) }
    if !refused.isEmpty { throw InvalidInput(refused, status: .unprocessableContent) }
  }

  private mutating func present(_ name: String, _ isRequired: Bool) -> JSONValue? {
    if let value = value(name) { return value }
    if isRequired { fault(name, Message("error.missing_member")) }
    return nil
  }

  /// A limit as messages show it: without a fraction if it is whole.
  package static func limit(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }

  private static func outside(_ low: String, _ high: String) -> Message {
    Message("error.outside", ["minimum": low, "maximum": high])
  }
}
