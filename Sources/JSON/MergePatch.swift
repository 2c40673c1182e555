/// JSON Merge Patch (RFC 7396).
package enum MergePatch {
  /// Applies `patch` to `target`: null removes a member, an object is merged into the existing object,
  /// and any other value replaces the existing one. Runs in time proportional to the size of both.
  package static func apply(_ patch: JSONValue, to target: JSONValue?) -> JSONValue {
    guard let changes = patch.objectValue else { return patch }
    var members: [(key: String, value: JSONValue?)] = []
    var places: [String: Int] = [:]
    for member in target?.objectValue?.members ?? [] {
      places[member.key] = members.count
      members.append((member.key, member.value))
    }
    for change in changes.members {
      if let place = places[change.key] {
        // Assigning plain nil would set JSON's null.
        members[place].value =
          change.value.isNull
          ? Optional.none : apply(change.value, to: members[place].value)
      } else if !change.value.isNull {
        places[change.key] = members.count
        members.append((change.key, apply(change.value, to: nil)))
      }
    }
    return .object(JSONObject(members.compactMap { key, value in value.map { (key, $0) } }))
  }
}
