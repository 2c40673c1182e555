package import Foundation
package import JSON

/// Files of `seed` that are loaded at start.
package enum SeedFile {
  /// - Throws: ``InvalidSeed`` if the file is missing or is not JSON.
  package static func json(_ name: String, in directory: URL) throws -> JSONValue {
    do {
      let data = try Data(contentsOf: directory.appendingPathComponent(name))
      return try JSONValue(parsing: [UInt8](data))
    } catch { throw InvalidSeed(file: name) }
  }

  /// The objects of an array, by their `code`.
  package static func byCode(_ json: JSONValue?) -> [String: JSONValue] {
    var found: [String: JSONValue] = [:]
    for item in json?.arrayValue ?? [] {
      if let code = item["code"]?.stringValue { found[code] = item }
    }
    return found
  }
}

/// A file of `seed` that cannot be read.
package struct InvalidSeed: Error, CustomStringConvertible {
  package let file: String

  package init(file: String) {
    self.file = file
  }
  package var description: String { "\(file): missing or invalid" }
}
