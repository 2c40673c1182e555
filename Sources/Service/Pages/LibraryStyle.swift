/// The part of MapLibre's style sheet that pages need. Nine tenths of it, compressed, are the drawings of
/// buttons and pop-ups that Farol replaces by its own.
enum LibraryStyle {
  static func isSheet(_ path: String) -> Bool { path.hasPrefix("vendor/maplibre-gl-") }

  private static let unused = ["maplibregl-ctrl", "maplibregl-popup", "maplibregl-user-location"]

  /// The sheet without the rules that apply only to unused elements. Text after the last complete rule is
  /// left out.
  static func needed(_ sheet: some StringProtocol) -> String {
    var kept = ""
    var depth = 0
    var start = sheet.startIndex
    for index in sheet.utf8.indices {
      switch sheet.utf8[index] {
      case UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "}"):
        depth -= 1
        guard depth == 0 else { continue }
        kept += rule(sheet[start...index])
        start = sheet.utf8.index(after: index)
      default: continue
      }
    }
    return kept
  }

  /// A rule with its block; empty if it applies to no needed element.
  private static func rule(_ rule: some StringProtocol) -> String {
    guard let open = rule.firstIndex(of: "{") else { return "" }
    let head = rule[..<open]
    if head.contains("@media") {
      let inner = needed(rule[rule.index(after: open)...].dropLast())
      return inner.isEmpty ? "" : "\(head){\(inner)}"
    }
    let isUnused = head.split(separator: ",").allSatisfy { selector in
      unused.contains { selector.contains($0) }
    }
    return isUnused ? "" : String(rule)
  }
}
