package import JSON
package import WebServer

/// The members of one kind of JSON object, declared once: they make both its JSON and its schema.
///
///     static let shape = JSONShape<Browser>(
///       "browser", .uuid("id", \.id), .text("agent", \.agent), .flag("current", \.isCurrent))
///
/// A member with an optional value may be null; marked ``Member/optional``, it is absent instead. For the
/// responses of hot paths, a `JSONWriter` that is called directly is faster.
package struct JSONShape<Value>: Sendable {
  /// One member: its schema, and how its value is read.
  package struct Member: Sendable {
    let name: String
    let content: JSONSchema
    var isNullable = false
    var isOptional = false
    /// Nil if the member is absent.
    let json: @Sendable (Value) -> JSONValue?
    /// Writes the value of ``json`` without making it first.
    var written: (@Sendable (Value, inout JSONWriter) -> Void)? = nil

    /// Writes the name and the value, unless it is absent.
    fileprivate var writer: @Sendable (Value, inout JSONWriter) -> Void {
      if let written {
        return { [name] value, json in
          json.key(name)
          written(value, &json)
        }
      }
      return { [name, json = self.json] value, writer in
        guard let content = json(value) else { return }
        writer.key(name)
        writer.value(content)
      }
    }

    var schema: JSONSchema {
      let schema = isNullable && !isOptional ? content.orNull : content
      return isOptional ? schema.optional : schema
    }
  }

  /// Its name in the OpenAPI document; nil if it is described where it is used.
  package let name: String?
  private let members: [Member]
  /// Write the members. A closure is copied faster than a ``Member`` with its schema.
  private let writers: [@Sendable (Value, inout JSONWriter) -> Void]

  package init(_ name: String? = nil, _ members: Member...) {
    self.init(name, members)
  }

  package init(_ name: String?, _ members: [Member]) {
    self.name = name
    self.members = members
    writers = members.map(\.writer)
  }

  /// The same object with further members, as another schema.
  package func extended(as name: String?, _ more: Member...) -> JSONShape {
    JSONShape(name, members + more)
  }

  /// The same object as a part of another value.
  package func within<Outer>(
    _ part: @escaping @Sendable (Outer) -> Value
  ) -> JSONShape<Outer> {
    JSONShape<Outer>(
      name,
      members.map { member in
        var outer = JSONShape<Outer>.Member(
          name: member.name, content: member.content, isNullable: member.isNullable,
          isOptional: member.isOptional
        ) { member.json(part($0)) }
        if let written = member.written {
          outer.written = { (whole: Outer, json: inout JSONWriter) in written(part(whole), &json) }
        }
        return outer
      })
  }

  package func object(_ value: Value) -> JSONObject {
    JSONObject(
      members.compactMap { member in member.json(value).map { (member.name, $0) } })
  }

  package func json(_ value: Value) -> JSONValue { .object(object(value)) }

  package func write(_ value: Value, to json: inout JSONWriter) {
    json.beginObject()
    for write in writers { write(value, &json) }
    json.endObject()
  }

  /// A reference to the schema, or the schema itself if it has no name.
  package var schema: JSONSchema { name.map { .reference($0) } ?? definition }

  /// The name and the schema, as ``Feature/schemas`` returns them.
  package var component: JSONSchema.Named { (name ?? "", definition.value) }

  private var definition: JSONSchema { .object(members.map { ($0.name, $0.schema) }) }
}

extension Response {
  package static func json<Value>(
    _ value: Value, as shape: JSONShape<Value>, contentType: String = "application/json",
    status: Status = .ok
  ) -> Response {
    var json = JSONWriter()
    shape.write(value, to: &json)
    return .json(json.bytes, contentType: contentType, status: status)
  }
}

extension JSONShape.Member {
  package typealias Reading<Content> = @Sendable (Value) -> Content

  /// A member with its own schema.
  package init<Content: JSONRepresentable>(
    _ name: String, _ schema: JSONSchema, _ value: @escaping Reading<Content>
  ) {
    self.init(name: name, content: schema, isNullable: Content.isNullable) { value($0).json }
    written = { value($0).write(to: &$1) }
  }

  /// A member that is absent where `value` is nil. Without `value`, other code adds it.
  package static func added(
    _ name: String, _ schema: JSONSchema,
    _ value: @escaping Reading<JSONValue?> = { _ in nil }
  ) -> Self {
    Self(name: name, content: schema, isOptional: true, json: value)
  }

  /// The member is absent if it has no value.
  package var optional: Self {
    Self(name: name, content: content, isOptional: true) { [json] value in
      // Not `flatMap`: a `nil` there would be the JSON null, because `JSONValue` has a nil literal.
      guard let found = json(value), found != .null else { return nil }
      return found
    }
  }

  package static func text<Content: JSONRepresentable<String>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .text, value) }

  package static func uuid<Content: JSONRepresentable<String>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .uuid, value) }

  package static func day<Content: JSONRepresentable<String>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .day, value) }

  package static func time<Content: JSONRepresentable<String>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .time, value) }

  package static func flag<Content: JSONRepresentable<Bool>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .flag, value) }

  package static func count<Content: JSONRepresentable<Int>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .count, value) }

  package static func number<Content: JSONRepresentable<Double>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .number, value) }

  /// A longitude or latitude.
  package static func degrees(_ name: String, _ value: @escaping Reading<Double>) -> Self {
    Self(name, .number) { Degrees(value($0)) }
  }

  package static func texts<Content: JSONRepresentable<[String]>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .list(of: .text), value) }

  /// The case of an enumeration.
  package static func oneOf<Word: RawRepresentable<String> & CaseIterable & SendableMetatype>(
    _ name: String, _ value: @escaping Reading<Word>
  ) -> Self { Self(name, .oneOf(Word.self)) { value($0).rawValue } }

  /// An object with members of any kind.
  package static func object<Content: JSONRepresentable<JSONObject>>(
    _ name: String, _ value: @escaping Reading<Content>
  ) -> Self { Self(name, .object, value) }

  package static func object<Inner>(
    _ name: String, _ shape: JSONShape<Inner>, _ value: @escaping Reading<Inner>
  ) -> Self {
    var member = Self(name, shape.schema) { shape.json(value($0)) }
    member.written = { shape.write(value($0), to: &$1) }
    return member
  }

  package static func object<Inner>(
    _ name: String, _ shape: JSONShape<Inner>, _ value: @escaping Reading<Inner?>
  ) -> Self {
    var member = Self(name, shape.schema) { value($0).map(shape.json) }
    member.written = { whole, json in
      if let inner = value(whole) { shape.write(inner, to: &json) } else { json.null() }
    }
    return member
  }

  /// An object whose members are read from the same value; null where `isPresent` is false.
  package static func group(
    _ name: String, if isPresent: Reading<Bool>? = nil, _ members: Self...
  ) -> Self {
    let shape = JSONShape(nil, members)
    return Self(name: name, content: shape.schema, isNullable: isPresent != nil) { value in
      isPresent?(value) ?? true ? shape.json(value) : .null
    }
  }

  package static func list<Item>(
    _ name: String, of shape: JSONShape<Item>, _ value: @escaping Reading<[Item]>
  ) -> Self {
    var member = Self(name, .list(of: shape.schema)) { value($0).map(shape.json) }
    member.written = { whole, json in
      json.beginArray()
      for item in value(whole) { shape.write(item, to: &json) }
      json.endArray()
    }
    return member
  }
}
