import Foundation
import JSON

/// The position at which a page of a list ended; opaque to clients.
package struct PageCursor: Equatable, Sendable {
  /// The sort keys of the last row.
  private let keys: [String]

  package init(keys: [String]) { self.keys = keys }

  /// Reads a cursor of ``text``.
  ///
  /// - Throws: ``InvalidInput`` if it is malformed.
  package init(text: String) throws {
    let padded = text.replacing("-", with: "+").replacing("_", with: "/")
    guard text.utf8.count <= 1_000,
      let data = Data(
        base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)),
      let members = try? JSONValue(parsing: [UInt8](data)).arrayValue
    else { throw Self.refusal }
    keys = members.compactMap(\.stringValue)
    guard keys.count == members.count else { throw Self.refusal }
  }

  /// The keys; a list has a fixed number of them.
  ///
  /// - Throws: ``InvalidInput`` if the cursor belongs to another list.
  package func keys(count: Int) throws -> [String] {
    guard keys.count == count else { throw Self.refusal }
    return keys
  }

  /// The keys of `cursor` if all are numbers; nil without a cursor.
  package static func rows(_ text: String?, count: Int) throws -> [Int64]? {
    guard let text else { return nil }
    let rows = try PageCursor(text: text).keys(count: count).compactMap { Int64($0) }
    guard rows.count == count else { throw refusal }
    return rows
  }

  /// URL-safe text (base64url, RFC 4648 §5).
  package var text: String {
    Data(JSONText.strings(keys).utf8).base64EncodedString()
      .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  /// The rows of a page and the cursor of the next one, of a list that was read with one row more than `limit`.
  /// `keys` are the sort keys of a row.
  package static func cut<Row>(
    _ rows: some Collection<Row>, to limit: Int, keys: (Row) -> [String]
  ) -> (page: [Row], next: String?) {
    let page = Array(rows.prefix(limit))
    let last = rows.count > limit ? page.last : nil
    return (page, last.map { PageCursor(keys: keys($0)).text })
  }

  private static let refusal = InvalidInput("cursor", Message("error.cursor"))

  /// The parameters `cursor` and `limit` of such lists.
  package static func parameters(_ what: String) -> [Parameter] {
    [
      .query(
        "cursor", .text(maxLength: 1_000), "Where a page begins, the `next` of the one before."),
      .query(
        "limit", .integer(minimum: 1, maximum: maximumLimit, byDefault: defaultLimit),
        "\(what) on a page; a larger number counts as the maximum."),
    ]
  }

  package static let defaultLimit = 20
  package static let maximumLimit = 100

  /// Reads `limit`: a whole number from 1; larger numbers are reduced to the maximum.
  package static func limit(
    _ text: String?, byDefault usual: Int = defaultLimit, maximum: Int = maximumLimit
  ) throws -> Int {
    guard let text else { return usual }
    let isPlain = !text.isEmpty && text.utf8.allSatisfy { (48...57).contains($0) }
    guard isPlain, text.contains(where: { $0 != "0" }) else {
      throw InvalidInput("limit", Message("error.limit", ["maximum": "\(maximum)"]))
    }
    return min(Int(text) ?? maximum, maximum)
  }
}
