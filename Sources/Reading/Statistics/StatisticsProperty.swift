import Devices
import PrivacyMap
import Reference
import SpatialDatabase

/// The properties that devices can be counted by, named as in filters and features.
enum StatisticsProperty: String, CaseIterable, Sendable {
  case category
  case dataCollected = "data_collected"
  case `operator`
  case operatorKind = "operator_kind"
  case setting, zone, status, precision, choices
  case legalBasis = "legal_basis"
  case freshness, source, country

  /// The grouping of the index; freshness is computed for `today`.
  ///
  /// The operator of a household device may be a person who lives there, so no list contains it.
  func grouping(today: Day, _ vocabulary: Vocabulary) -> PointGrouping {
    switch self {
    case .category: .category
    case .dataCollected: .data
    case .operator: .operatorRow(except: vocabulary.households)
    case .operatorKind: .operatorKind
    case .setting: .setting
    case .zone: .zone
    case .status: .status
    case .precision: .precision
    case .choices: .choices
    case .legalBasis: .legalBasis
    case .freshness:
      .dueDay(Freshness.allCases.map { $0.dueDays(today: today) })
    case .source: .source
    case .country: .country
    }
  }

  /// Whether a device can be in several groups.
  var overlaps: Bool { self == .dataCollected || self == .choices }
}

/// Translates codes of the index to the names used in responses.
struct StatisticsNames {
  let vocabulary: Vocabulary
  /// Operators without a name, as rows.
  let withheld: Set<UInt32>

  /// The name of each code of a property; nil for unknown. Codes with the same name form one group. An
  /// unknown kind of operator has the name that filters and exports give it.
  func texts(
    of codes: Set<UInt32>, under property: StatisticsProperty, _ connection: borrowing Connection
  ) throws -> [UInt32: String] {
    switch property {
    case .operator:
      return try Self.rows(codes.subtracting(withheld), Self.operatorName, connection)
    case .source: return try Self.rows(codes, Self.sourceName, connection)
    default:
      return codes.reduce(into: [:]) { texts, code in texts[code] = text(of: code, under: property)
      }
    }
  }

  static let operatorName = "SELECT name FROM operator WHERE rowid = ?"
  static let sourceName = SourceStore.name

  private static func rows(
    _ codes: Set<UInt32>, _ query: String, _ connection: borrowing Connection
  ) throws -> [UInt32: String] {
    let rows = codes.filter { $0 != PointGroup.unknown }.sorted()
    var texts: [UInt32: String] = [:]
    try connection.forEach(query, keys: rows.map { Int64($0) }) { place, row in
      texts[rows[place]] = row.optionalText(0)
    }
    return texts
  }

  private func text(of code: UInt32, under property: StatisticsProperty) -> String? {
    guard code != PointGroup.unknown else {
      return property == .operatorKind ? Operator.Kind.unknown.rawValue : nil
    }
    let number = Int(code)
    switch property {
    case .category: return UInt8(exactly: code).flatMap { vocabulary.categoryCode(number: $0) }
    case .dataCollected: return term(number, .data)
    case .choices: return term(number, .choices)
    case .zone: return Self.place(number - 1, in: vocabulary.terms(of: .zones).map(\.code))
    case .legalBasis:
      return Self.place(number - 1, in: vocabulary.terms(of: .legalBases).map(\.code))
    case .status: return Self.place(number, in: DeviceStatus.allCases.map(\.rawValue))
    case .precision: return Self.place(number, in: Precision.allCases.map(\.rawValue))
    case .setting: return Self.place(number - 1, in: Setting.allCases.map(\.rawValue))
    case .freshness: return Self.place(number, in: Freshness.allCases.map(\.rawValue))
    case .operatorKind: return Self.place(number, in: Operator.Kind.allCases)?.rawValue
    case .country: return UInt16(exactly: code).flatMap { IndexedPoint.countryCode($0) }
    case .operator, .source: return nil  // named by the database
    }
  }

  private func term(_ number: Int, _ scheme: Scheme) -> String? {
    vocabulary.terms(of: scheme).first { $0.number == number }?.code
  }

  private static func place<Element>(_ place: Int, in list: [Element]) -> Element? {
    list.indices.contains(place) ? list[place] : nil
  }
}
