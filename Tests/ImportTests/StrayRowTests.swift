@testable import Import
import PrivacyMap
import Testing

/// Rows that are placed elsewhere than the others of their list, and rows that are no devices.
@Suite struct StrayRowTests {
  private func list(_ rows: [String], count: Int = 30, more: String = "") throws -> MappedList {
    let others = (0..<count).map { "\(38.70 + Double($0) / 1_000),\(-9.14 + Double($0) / 1_000)" }
    return try MappedList(
      fields: #""level": "id""#, more: more,
      csv: (["lat,lon"] + rows + others).joined(separator: "\n") + "\n")
  }

  @Test(arguments: [
    ("-9.139,38.712", "exchanged"), ("38.712,9.139", "other_sign"),
    ("-38.712,-9.139", "other_sign"),
  ])
  func `a single row that would be among the others if it were turned is refused`(
    row: String, code: String
  ) throws {
    // First, so that the others decide that come later.
    let found = try list([row])
    #expect(found.refusals.map(\.reason.code) == [code])
    #expect(found.refusals.first?.row == 1 && found.devices.count == 30)
    #expect(found.devices.map(\.row) == Array(2...31))
  }

  @Test func `a row far away that fits no other way stays`() throws {
    let found = try list(["32.65,-16.9", "38.53,-28.63", "12.1,45.0"])
    #expect(found.refusals.isEmpty)
  }

  @Test func `few rows, lists of the whole world, and lists with bounds decide nothing`() throws {
    #expect(try list(["-9.139,38.712"], count: 2).refusals.isEmpty)
    let bounds = #""bounds": [-180, -90, 180, 90],"#
    #expect(try list(["-9.139,38.712"], more: bounds).refusals.isEmpty)
    let world = (0..<60).map { "\(-60 + $0 * 2),\(-170 + $0 * 5)" }
    let csv = (["lat,lon", "45.3,2.04", "2.04,45.3"] + world).joined(separator: "\n")
    #expect(try MappedList(fields: #""level": "id""#, csv: csv + "\n").refusals.isEmpty)
  }

  @Test func `rows behind the first thousand are compared, too, and the order stays`() throws {
    let rows = (0..<2_500).map { $0 == 2_000 ? "-9.139,38.712" : "38.7\($0),-9.1\($0)" }
    let found = try MappedList(
      fields: #""level": "id""#, csv: "lat,lon\n" + rows.joined(separator: "\n") + "\n")
    #expect(found.refusals.map(\.row) == [2_001])
    #expect(found.devices.map(\.row) == (1...2_500).filter { $0 != 2_001 })
  }

  @Test func `0, 0 and -1, -1 and a coordinate of exactly 0 are flagged`() throws {
    let found = try MappedList(
      fields: #""level": "id""#, csv: "lat,lon\n-1,-1\n0,0\n52.1,0\n0,101.5\n51.5,-0.1\n")
    #expect(
      found.devices.map { $0.notes.map(\.code) }
        == [["null_island"], ["null_island"], ["zero_coordinate"], ["zero_coordinate"], []])
  }

  // MARK: Rows that are no devices

  @Test(arguments: ["Total", "Average:", "Summe", "合計", "Grand total"])
  func `a row with a sum or a mean is flagged`(word: String) throws {
    let found = try MappedList(
      fields: #""level": "id""#,
      csv: "name,lat,lon\nA,52.1,4.1\nTotal Energies,52.2,4.2\n\(word),52.15,4.15\n")
    #expect(found.devices.map { $0.notes.map(\.code) } == [[], [], ["summary_row"]])
  }

  @Test func `a number of 0 devices is none, and says that a known one is gone`() throws {
    let found = try MappedList(
      fields: #""units": "n""#, csv: "name,lat,lon,n\nA,52.1,4.1,0\nB,52.2,4.2,3\nC,52.3,4.3,\n")
    #expect(found.skipped.map(\.reason.code) == ["none_there"])
    #expect(found.skipped.first?.isGone == true)
    #expect(found.devices.map(\.fields.units) == [3, nil])
  }

  @Test(arguments: [
    ("removal date", "2021-05-01", true), ("removal date", "01/05/2021", true),
    ("removal_date", "2099-01-01", false), ("RemovalDate", "", false), ("deleted_at", "2024", true),
    ("is_deleted", "true", true), ("removed", "N", false), ("Fecha de baja", "3/2/2020", true),
    ("撤去日", "2020/01/02", true), ("end date", "2026-12-31", false),
    ("end date", "2026-01-31", true),
    ("install date", "2021-05-01", false),
  ])
  func `a column with the end of a device flags the row`(
    name: String, value: String, isFlagged: Bool
  ) throws {
    let csv = "name,lat,lon,\(name)\nA,52.1,4.1,\(value)\n"
    let found = try MappedList(fields: #""level": "id""#, csv: csv)
    #expect(found.devices.map { $0.notes.map(\.code) } == [isFlagged ? ["not_active"] : []])
  }

  // MARK: Two tables beside each other

  @Test func `a second table beside the first is said in each row and makes the list incomplete`()
    throws
  {
    let csv = """
      Naam;lat;lon;;Naam;lat;lon
      A;52.1;4.1;;D;52.4;4.4
      B;52.2;4.2;;;;
      ;;;;F;52.6;4.6

      """
    let found = try MappedList(fields: #""level": "id""#, csv: csv)
    #expect(found.devices.map { $0.notes.map(\.code) } == [["second_table"], []])
    #expect(found.refusals.map(\.reason.code) == ["second_table"])
    #expect(found.outcomes.map { $0.incompleteness != nil } == [true, false, true])
    #expect(found.refusals.first?.reason.detail.contains("sheet of its own") == true)
  }
}
