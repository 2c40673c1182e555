import JSON
internal import Projections
package import PrivacyMap
import WrittenValues

/// Converts the rows of a list to devices with a mapping.
///
/// A class, so that all rules of all rows share one instance.
package final class RowMapper: Sendable {
  let mapping: ImportMapping
  let vocabulary: Vocabulary?
  let categoryNames: [String: String]
  let today: Day
  let countries: CountryMap?
  /// The coordinate systems that values of the list name.
  let systems = CoordinateSystems()
  /// The fields of ``DeviceField/single`` and ``DeviceField/others`` that have rules; the others stay
  /// empty.
  let ruledSingle, ruledOthers: [(field: DeviceField, entry: DeviceProperty.Entry)]
  /// Whether the columns that filled a field must be known.
  let tracksUse: Bool
  /// The columns that the mapping names.
  let namedColumns: Set<String>
  /// The names that the columns of positions have in a second table to the right of the first.
  let repeatedPlaces: Set<String>
  /// The columns with the number of devices.
  let unitColumns: [Column]

  /// - Parameters:
  ///   - mapping: the meaning of the columns.
  ///   - vocabulary: the codes of the instance. Nil accepts every code.
  ///   - categoryNames: names of categories, for device names. The mapping's own names have precedence.
  ///   - today: later dates are rejected.
  ///   - countries: finds the country of a position for conditions.
  package init(
    mapping: ImportMapping, vocabulary: Vocabulary?, categoryNames: [String: String] = [:],
    today: Day, countries: CountryMap? = nil
  ) {
    self.countries = countries
    self.mapping = mapping
    self.vocabulary = vocabulary
    self.categoryNames = categoryNames.merging(mapping.categoryNames) { $1 }
    self.today = today
    ruledSingle = DeviceField.single.filter { mapping.fields[$0.field] != nil }
    ruledOthers = DeviceField.others.filter { mapping.fields[$0.field] != nil }
    tracksUse = mapping.keep == .unmapped
    namedColumns = Set(mapping.references.flatMap(\.candidates).compactMap(\.topName))
    let named = namedColumns
    unitColumns = (mapping.fields[DeviceField("units")] ?? []).flatMap(\.rule.columns)
    repeatedPlaces = Set(
      [DeviceField.longitude, .latitude, .position].flatMap { mapping.fields[$0] ?? [] }
        .flatMap(\.rule.columns).compactMap(\.topName).map { "\($0) (2)" }.filter {
          !named.contains($0)
        })
  }

  /// The results for a row: at least one, and one per device of an exploded row.
  package func outcomes(for row: SourceRow) -> [ImportOutcome] {
    if let fault = row.fault {
      var unread = refusal(row, ImportNote(.refused, field: nil, fault))
      unread.texts = Self.texts(of: row)
      // A quote without an end joins several rows. An object of another kind is no device.
      unread.isLost =
        fault.code == "open_quote"
        || unread.texts.isEmpty && ["not_json", "not_text"].contains(fault.code)
      return [.refused(unread)]
    }
    guard let explode = mapping.explode else { return [outcome(row, part: nil)] }
    let elements = explode.value(in: row.columns)?.arrayValue ?? []
    if elements.isEmpty {
      let note = ImportNote(
        .refused, field: nil, code: "no_devices",
        detail: "The row holds no device in \(explode.shown).")
      return [.skipped(refusal(row, note))]
    }
    return elements.enumerated().map { index, element in
      var part = row
      part.columns = Self.replacing(explode, in: row.columns, with: element)
      return outcome(part, part: index + 1)
    }
  }

  private func outcome(_ row: SourceRow, part: Int?) -> ImportOutcome {
    var draft = DeviceDraft(row: row, part: part, mapper: self)
    do {
      return .device(try draft.device())
    } catch {
      var refusal = ImportRefusal(
        row: row.number, line: row.line, part: part, sourceKey: draft.sourceKey,
        reason: error.note)
      refusal.notes = draft.notes
      refusal.isGone = error.isGone
      if draft.sourceKey == nil {
        refusal.texts = Self.texts(of: row)
        refusal.coordinate = draft.position
      }
      return error.isSkip ? .skipped(refusal) : .refused(refusal)
    }
  }

  private static func texts(of row: SourceRow) -> [String] {
    row.columns.members.compactMap { $0.value.scalarText.map(RowColumns.cleaned) }
  }

  private func refusal(_ row: SourceRow, _ note: ImportNote) -> ImportRefusal {
    ImportRefusal(row: row.number, line: row.line, reason: note)
  }

  /// `columns` with the value at `column` replaced.
  private static func replacing(
    _ column: Column, in columns: JSONObject, with value: JSONValue
  ) -> JSONObject {
    guard case .pointer(let components) = column else { return columns }
    return replacing(components[...], in: columns, with: value)
  }

  private static func replacing(
    _ path: ArraySlice<String>, in object: JSONObject, with value: JSONValue
  ) -> JSONObject {
    var object = object
    guard let name = path.first else { return object }
    let rest = path.dropFirst()
    if rest.isEmpty {
      object[name] = value
    } else if let inner = object[name]?.objectValue {
      object[name] = .object(replacing(rest, in: inner, with: value))
    }
    return object
  }
}

extension ImportNote {
  init(_ severity: Severity, field: String?, _ fault: RowFault) {
    self.init(severity, field: field, code: fault.code, detail: fault.detail)
  }
}

/// The reason why a row does not become a device.
struct RowRefused: Error {
  var note: ImportNote
  var isSkip = false
  /// Whether the row states that its device is no longer there.
  var isGone = false

  init(field: DeviceField? = nil, code: String, detail: String) {
    note = ImportNote(.refused, field: field?.name, code: code, detail: detail)
  }
}
