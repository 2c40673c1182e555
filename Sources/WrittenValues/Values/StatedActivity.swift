package import JSON

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
  ]
  /// Values and whether they are a yes.
  private static let answers: [String: Bool] = [
    "false": false, "0": false, "n": false, "no": false, "não": false, "nao": false, "non": false,
    "nein": false, "nee": false, "f": false, "nie": false, "falso": false, "faux": false,
    "true": true, "1": true, "y": true, "yes": true, "sim": true, "si": true, "sí": true,
    "oui": true, "ja": true, "t": true, "tak": true, "x": true, "vrai": true,
  ]

  /// The first column that states that the device is not in use, and that the mapping does not name; nil without one.
  package static func denied(in columns: JSONObject, except named: Set<String>) -> String? {
    for (name, value) in columns.members {
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
}
