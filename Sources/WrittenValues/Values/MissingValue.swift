/// Texts that people and programs write where a value is missing.
package enum MissingValue {
  /// Whether a text is a program's form of no value: the error of a spreadsheet's cell, or the null of a database.
  package static func isWritten(_ text: String) -> Bool {
    switch text.utf8.first {
    case UInt8(ascii: "#"): cellErrors.contains(text)
    case UInt8(ascii: "<"), UInt8(ascii: "\\"), UInt8(ascii: "("), UInt8(ascii: "N"),
      UInt8(ascii: "n"):
      text.utf8.count <= 6 && nulls.contains(text)
    default: false
    }
  }

  /// From ArcGIS, MySQL and PostgreSQL, SQL clients, and programs for statistics.
  private static let nulls: Set<String> = [
    "<Null>", "<NULL>", "<null>", "\\N", "(null)", "(NULL)", "NULL", "null", "NaN", "nan",
  ]

  /// Whether a device name means that the device has no name.
  package static func isNoDeviceName(_ name: String) -> Bool {
    let plain = name.lowercased().trimming { !$0.isLetter && !$0.isNumber }
    return plain.isEmpty || noDeviceNames.contains(String(plain))
  }

  private static let noDeviceNames: Set<String> = [
    "n/a", "n.a", "nil", "unknown", "unnamed", "no name", "noname", "not available", "unbekannt",
    "ohne namen", "kein name", "inconnu", "sans nom", "desconhecido", "sem nome", "desconocido",
    "sin nombre", "sconosciuto", "senza nome", "onbekend", "naamloos",
  ]

  private static let cellErrors: Set<String> = [
    "#N/A", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!",
    "#FIELD!", "#BUSY!", "#GETTING_DATA", "#ERROR!", "#NV", "#WERT!", "#BEZUG!", "#ZAHL!",
  ]

  /// Whether an operator's name means that the operator is unknown, or only that it is private: `unknown`, `n/a`, `-`,
  /// `privado`. The page of an operator with such a name would list devices of many.
  package static func isNoName(_ name: String) -> Bool {
    let plain = name.lowercased().trimming { !$0.isLetter && !$0.isNumber }
    return plain.isEmpty || noNames.contains(String(plain))
  }

  private static let noNames: Set<String> = [
    "unknown", "not known", "n/a", "n.a", "na", "none", "null", "nil", "nan", "tbd", "tba",
    "not available", "not applicable", "not specified", "unspecified", "undefined", "no data",
    "yes", "no", "private", "other", "unbekannt", "nicht bekannt", "keine angabe", "k. a", "k.a",
    "privat", "ja", "nein", "inconnu", "inconnue", "non renseigné", "non connu", "privé", "privée",
    "particulier", "aucun", "oui", "non", "desconhecido", "desconhecida", "sem informação",
    "não disponível", "não aplicável", "privado", "privada", "particular", "sim", "não",
    "desconocido", "desconocida", "sin datos", "no disponible", "sí", "sconosciuto", "sconosciuta",
    "non noto", "privato", "privata", "onbekend", "niet bekend", "nieznany", "nieznana", "brak",
    "brak danych", "prywatny", "okänd", "ukendt", "ukjent", "tuntematon", "neznámý", "ismeretlen",
  ]
}

extension StringProtocol {
  /// The text without the characters at both ends that `isLeftOut` selects.
  func trimming(_ isLeftOut: (Character) -> Bool) -> SubSequence {
    let start = drop(while: isLeftOut)
    guard let last = start.lastIndex(where: { !isLeftOut($0) }) else { return start[endIndex...] }
    return start[...last]
  }
}
