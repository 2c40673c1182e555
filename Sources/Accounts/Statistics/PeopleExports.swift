package import Service
import SpatialDatabase

extension PeopleStatistics {
  package static let exports = [peopleShares]

  /// Published groups in which the person was counted.
  private static let peopleShares = ExportSection(
    name: "people_shares",
    sql: """
      SELECT people_group.rowid, people_group.grouping, people_group.key, people_group.as_of
      FROM people_group_member
      JOIN people_group ON people_group.rowid = people_group_member.group_rowid
      WHERE people_group_member.account_rowid = ? AND people_group.rowid > ?
      ORDER BY people_group.rowid LIMIT ?
      """, start: [0],
    members: [("grouping", .text), ("group", .text), ("as_of", .text)])
}
