package import Import
import JSON

extension PublicTags {
  /// The published part of the stored source tags, as a JSON object; nil if nothing is published.
  package func json(shownOf kept: [UInt8]) -> [UInt8]? {
    guard let tags = try? JSONValue(parsing: kept).objectValue else { return nil }
    let shown = shown(
      tags.members.map { ImportedDevice.Tag($0.key, $0.value.stringValue ?? "") })
    guard !shown.isEmpty else { return nil }
    var json = JSONWriter()
    json.beginObject()
    for tag in shown {
      json.key(tag.key)
      json.string(tag.value)
    }
    json.endObject()
    return json.bytes
  }
}
