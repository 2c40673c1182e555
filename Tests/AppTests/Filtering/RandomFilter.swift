import CQL2
import PrivacyMap

/// Conditions of CQL2 of every kind, as text.
enum RandomFilter {
  /// A condition with at most `depth` nested connectives.
  static func condition(depth: Int, _ numbers: inout SeededNumbers) -> String {
    guard depth > 0 else { return leaf(&numbers) }
    switch Int.random(in: 0..<5, using: &numbers) {
    case 0: return "NOT (\(condition(depth: depth - 1, &numbers)))"
    case 1, 2:
      let word = Bool.random(using: &numbers) ? "AND" : "OR"
      let count = Int.random(in: 2...3, using: &numbers)
      let parts = (0..<count).map { _ in "(\(condition(depth: depth - 1, &numbers)))" }
      return parts.joined(separator: " \(word) ")
    default: return leaf(&numbers)
    }
  }

  private static func leaf(_ numbers: inout SeededNumbers) -> String {
    let sign = Comparison.allCases.randomElement(using: &numbers)?.rawValue ?? "="
    let texts = [
      "north 1", "gate 3", "Schloß", "praça", "camera", "reported", "webcam", "Near the gate.",
    ]
    let text = "'\(texts.randomElement(using: &numbers) ?? "")'"
    let property =
      ["name", "category", "status", "description", "manufacturer", "setting"]
      .randomElement(using: &numbers) ?? "name"
    let day = Day(daysSinceEpoch: 19_000 + Int32.random(in: 0..<1_800, using: &numbers)).text
    switch Int.random(in: 0..<12, using: &numbers) {
    case 0, 1: return "\(property) \(sign) \(text)"
    case 2: return "\(property) IS NULL"
    case 3: return "\(property) IN (\(text), 'gate 2', 'outdoor')"
    case 4:
      return
        "\(property) LIKE '\(["%a%", "_a%", "%1", "camera %", "%ß%"].randomElement(using: &numbers) ?? "")'"
    case 5:
      return
        "CASEI(\(property)) = CASEI('\(["SCHLOSS", "PRAÇA", "Camera", "NORTH 1"].randomElement(using: &numbers) ?? "")')"
    case 6: return "observed_on \(sign) DATE('\(day)')"
    case 7: return "last_confirmed \(sign) TIMESTAMP('\(day)T12:30:00Z')"
    case 8: return "last_confirmed \(sign) DATE('\(day)')"
    case 9:
      let west = Double.random(in: -180...175, using: &numbers)
      let south = Double.random(in: -85...40, using: &numbers)
      return
        "S_INTERSECTS(geometry, BBOX(\(west),\(south),\(west < 0 ? west + 170 : 180),\(south + 45)))"
    case 10:
      let relation =
        ["A_OVERLAPS", "A_CONTAINS", "A_CONTAINEDBY", "A_EQUALS"].randomElement(using: &numbers)
        ?? ""
      return "\(relation)(data_collected, ('video','speech','plate','ambient'))"
    default:
      let relation =
        ["T_AFTER", "T_BEFORE", "T_DURING", "T_INTERSECTS", "T_DISJOINT"].randomElement(
          using: &numbers) ?? ""
      return "\(relation)(observed_on, INTERVAL('\(day)','2026-01-01'))"
    }
  }
}
