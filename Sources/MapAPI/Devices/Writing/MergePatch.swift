import JSON

/// JSON Merge Patch (RFC 7396).
enum MergePatch {
  /// `target` after `patch`: null removes a member, an object goes into the object there, and anything
  /// else takes its place.
  static func apply(_ patch: JSONValue, to target: JSONValue?) -> JSONValue {
    guard let changes = patch.objectValue else { return patch }
    var object = target?.objectValue ?? JSONObject()
    for change in changes.members {
      object[change.key] = change.value == .null ? nil : apply(change.value, to: object[change.key])
    }
    return .object(object)
  }
}
