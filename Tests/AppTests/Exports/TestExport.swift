@testable import Downloads
import JSON
import Testing
import WebServer

/// A table as another program would read it (RFC 4180).
struct TestTable {
  let header: [String]
  let records: [[String]]

  init(_ bytes: [UInt8]) {
    var records: [[String]] = []
    var record: [String] = []
    var cell: [UInt8] = []
    var isQuoted = false
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x22 where isQuoted && rest.first == 0x22:
        cell.append(0x22)
        rest = rest.dropFirst()
      case 0x22: isQuoted.toggle()
      case 0x2C where !isQuoted:
        record.append(String(decoding: cell, as: UTF8.self))
        cell = []
      case 0x0D where !isQuoted && rest.first == 0x0A:
        rest = rest.dropFirst()
        records.append(record + [String(decoding: cell, as: UTF8.self)])
        (record, cell) = ([], [])
      default: cell.append(byte)
      }
    }
    header = records.first ?? []
    self.records = Array(records.dropFirst())
  }

  /// The cells of a column.
  func column(_ name: String) throws -> [String] {
    let place = try #require(header.firstIndex(of: name))
    return records.map { $0.indices.contains(place) ? $0[place] : "" }
  }
}

extension TestApp {
  static func exportPath(_ format: ExportFormat) -> String {
    "/api/exports/devices.\(format.ending)"
  }

  func export(_ format: ExportFormat, _ query: Parameters = [:]) -> TestAnswer {
    get(Self.exportPath(format), query)
  }

  /// The devices of an export as a table.
  func table(_ query: Parameters = [:]) -> TestTable { TestTable(export(.csv, query).bytes) }
}
