package import Service
import SpatialDatabase

extension Accounts {
  package static let integrity = IntegrityRules(
    counts: [
      (
        8, .derived(.accountNumbers),
        "counts of accounts are too low, so that a number could be given twice",
        "SELECT count(*) FROM account_number WHERE last < (SELECT max(rowid) FROM account)"
      )
    ],
    repairs: [
      IntegrityRules.Repair(
        .accountNumbers,
        rows: """
          SELECT max(rowid) FROM account HAVING max(rowid) > (SELECT last FROM account_number)
          """,
        "UPDATE account_number SET last = max(last, ?)")
    ])
}
