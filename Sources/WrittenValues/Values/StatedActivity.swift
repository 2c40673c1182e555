package import JSON
package import PrivacyMap

/// Columns that state whether a device is in use, such as `active` and `in_service`.
package enum StatedActivity {
  /// Names of columns, without signs and in lower case, whose yes means that a device is in use.
  private static let inUse: Set<String> = [
    "active", "isactive", "enabled", "isenabled", "inservice", "isinservice", "operational",
    "isoperational", "inuse", "ativo", "ativa", "emservico", "activo", "activa", "enservicio",
    "actif", "enservice", "aktiv", "istaktiv", "inbetrieb", "attivo", "attiva",
    "inservizio", "actief", "inbedrijf", "czynny", "aktywny", "aktywna",
  ]
  /// Names of columns whose yes means that a device is out of use.
  private static let outOfUse: Set<String> = [
    "inactive", "isinactive", "outofservice", "decommissioned", "isdecommissioned", "inativo",
    "inactivo", "inactif", "inaktiv", "horsservice", "ausserbetrieb", "inattivo", "inactief",
    "deleted", "isdeleted", "removed", "isremoved", "retired", "isretired", "dismantled",
    "isdismantled", "demolished", "disused", "isdisused", "abandoned", "uninstalled", "obsolete",
    "isobsolete", "archived", "isarchived", "removido", "removida", "retirado", "retirada",
    "eliminado", "eliminada", "supprime", "depose", "geloscht", "abgebaut", "entfernt", "rimosso",
    "verwijderd", "usuniety",
  ]
  /// Names of columns with the day from which a device is no longer there, and usual spellings of them.
  private static let ends: Set<String> = Set(
    [
      "removal date", "date removed", "removed date", "removed on", "removed at", "date removal",
      "deleted at", "deleted on", "deletion date", "date deleted", "retired on", "retired date",
      "retirement date", "date retired", "decommission date", "decommissioned date",
      "decommissioning date", "date decommissioned", "decommissioned", "decommissioned on",
      "end date", "date end", "stop date", "date stop", "data baixa", "data de baixa",
      "dismantled on", "dismantling date", "uninstall date",
      "uninstalled on", "date uninstalled", "service end date", "out of service date",
      "data de remoção", "data remocao", "data fim", "data de fim", "data de desativação",
      "fecha de baja", "fecha baja", "fecha de retiro", "fecha retiro", "fecha fin",
      "date de dépose", "date depose", "date de fin", "date fin", "date de retrait",
      "abbaudatum", "enddatum", "einddatum", "datum verwijderd", "data dismissione", "data fine",
      "data rimozione", "data demontażu", "дата демонтажа", "撤去日", "廃止日", "拆除日期", "停用日期",
      "철거일자", "철거일",
    ].flatMap { StatedPrecision.spellings(of: $0.split(separator: " ").map(String.init)) })
  /// Bytes of a year, or of a day with its time.
  private static let dayLength = 4...40
  /// Values and whether they are a yes.
  private static let answers: [String: Bool] = [
    "false": false, "0": false, "n": false, "no": false, "não": false, "nao": false, "non": false,
    "nein": false, "nee": false, "f": false, "nie": false, "falso": false, "faux": false,
    "true": true, "1": true, "y": true, "yes": true, "sim": true, "si": true, "sí": true,
    "oui": true, "ja": true, "t": true, "tak": true, "x": true, "vrai": true,
  ]

  /// The first column that states that the device is not in use, and that the mapping does not name; nil without one.
  package static func denied(
    in columns: JSONObject, except named: Set<String>, on today: Day
  ) -> String? {
    for (name, value) in columns.members {
      if case .string(let written) = value, dayLength.contains(written.utf8.count),
        ends.contains(name), !named.contains(name), isPast(written, today)
      {
        return name
      }
      // Most values are longer, and a comparison of lengths is fast.
      let text: String
      switch value {
      case .bool(let flag): text = flag ? "true" : "false"
      case .integer(let number) where number == 0 || number == 1: text = "\(number)"
      case .string(let written) where written.utf8.count <= 5: text = written.lowercased()
      default: continue
      }
      guard let isYes = answers[text], !named.contains(name) else { continue }
      let plain = name.lowercased().filter(\.isLetter)
      if isYes ? outOfUse.contains(plain) : inUse.contains(plain) { return name }
    }
    return nil
  }

  /// Whether a day in any notation with a year of four digits is over.
  private static func isPast(_ text: String, _ today: Day) -> Bool {
    let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
    guard let year = numbers.first(where: { (1_900...2_200).contains($0) }) else { return false }
    if let next = Day(year: year + 1, month: 1, day: 1), next <= today { return true }
    if let first = Day(year: year, month: 1, day: 1), first > today { return false }
    // Within this year only the international notation is clear.
    guard numbers.count > 2, numbers[0] == year,
      let day = Day(year: year, month: numbers[1], day: numbers[2])
    else { return true }
    return day <= today
  }
}
