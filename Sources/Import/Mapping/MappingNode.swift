import JSON

/// The reason why a mapping file is invalid.
package struct InvalidMapping: Error, Equatable, CustomStringConvertible {
  /// The key of the error, from the root: `fields.name[1].values`.
  package var key: String
  /// The problem, without a full stop.
  package var reason: String

  package init(key: String, reason: String) {
    self.key = key
    self.reason = reason
  }

  package var description: String { key.isEmpty ? reason : "\(key): \(reason)" }
}

/// One value of a mapping file, with its key.
struct MappingNode {
  let value: JSONValue
  let key: String
  /// The named conditions of the mapping.
  var conditions: [String: Condition] = [:]

  private func child(_ value: JSONValue, _ key: String) -> MappingNode {
    MappingNode(value: value, key: key, conditions: conditions)
  }

  func fault(_ reason: String) -> InvalidMapping { InvalidMapping(key: key, reason: reason) }

  /// The members by name. Only names in `allowed` are accepted.
  func members(_ allowed: [String]) throws(InvalidMapping) -> [String: MappingNode] {
    guard let object = value.objectValue else { throw fault("must be an object") }
    var members: [String: MappingNode] = [:]
    for (name, value) in object.members {
      let node = child(value, key.isEmpty ? name : "\(key).\(name)")
      guard allowed.contains(name) else {
        let nearest = NearNames.of(name, in: allowed).map { "“\($0)”" }.joined(separator: ", ")
        throw node.fault(
          "is not known here; "
            + (nearest.isEmpty
              ? "known are \(allowed.joined(separator: ", "))" : "did you mean \(nearest)?"))
      }
      members[name] = node
    }
    return members
  }

  /// The members by name, without restriction of names.
  func table() throws(InvalidMapping) -> [(name: String, node: MappingNode)] {
    guard let object = value.objectValue else { throw fault("must be an object") }
    return object.members.map { ($0.key, child($0.value, "\(key).\($0.key)")) }
  }

  func list() throws(InvalidMapping) -> [MappingNode] {
    guard let list = value.arrayValue else { throw fault("must be a list") }
    return list.enumerated().map { child($0.element, "\(key)[\($0.offset)]") }
  }

  /// A list. A single value counts as a list of one.
  func listOrOne() throws(InvalidMapping) -> [MappingNode] {
    if case .array = value { return try list() }
    return [self]
  }

  func text() throws(InvalidMapping) -> String {
    guard let text = value.stringValue else { throw fault("must be a text") }
    return text
  }

  /// A text, or a list of texts.
  func texts() throws(InvalidMapping) -> [String] {
    var texts: [String] = []
    for node in try listOrOne() { texts.append(try node.text()) }
    return texts
  }

  /// A text, number or Boolean as text, or a list of these.
  func scalars() throws(InvalidMapping) -> [String] {
    var texts: [String] = []
    for node in try listOrOne() {
      guard let text = node.value.scalarText else {
        throw node.fault("must be a text, a number, true or false")
      }
      texts.append(text)
    }
    return texts
  }

  func flag() throws(InvalidMapping) -> Bool {
    guard let flag = value.boolValue else { throw fault("must be true or false") }
    return flag
  }

  func number() throws(InvalidMapping) -> Double {
    guard let number = value.numberValue else { throw fault("must be a number") }
    return number
  }

  /// One of the raw values of a type.
  func choice<Choice: RawRepresentable & CaseIterable>(
    _ type: Choice.Type
  ) throws(InvalidMapping) -> Choice where Choice.RawValue == String {
    let text = try text()
    guard let choice = Choice(rawValue: text) else {
      let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
      throw fault("“\(text)” is none of \(known)")
    }
    return choice
  }
}
