extension TextEncoding {
  /// The most likely encoding of bytes that are not UTF-8: that in which their words are words of a language.
  ///
  /// Only words with bytes above 0x7F count, because the others are the same in all encodings. Short lists have few of
  /// them, too few for the statistics of general detectors.
  package static func guess(_ bytes: some Sequence<UInt8>) -> TextEncoding {
    let words = ForeignWords(bytes)
    guard !words.all.isEmpty else { return .windows1252 }
    var best = (encoding: TextEncoding.windows1252, score: -Double.infinity)
    for (encoding, bonus) in SingleByteTable.candidates {
      let score = SingleByteTable.of(encoding).score(words) + bonus
      if score > best.score { best = (encoding, score) }
    }
    for layout in PairLayout.all {
      let score = layout.score(words)
      if score > best.score, let encoding = TextEncoding(named: layout.name) {
        best = (encoding, score)
      }
    }
    return best.encoding
  }
}

/// The words of a text with bytes above 0x7F.
struct ForeignWords {
  private(set) var all: [[UInt8]] = []
  /// Whether lines end in CR alone, as in files of old Macintosh programs.
  private(set) var hasMacLines = false

  private static let maximum = 2_000
  /// The maximum number of bytes to read.
  private static let maxLength = 1 << 20

  init(_ bytes: some Sequence<UInt8>) {
    var seen: Set<[UInt8]> = []
    var word: [UInt8] = []
    var isForeign = false
    var (returns, feeds) = (0, 0)
    func end() {
      // Lists joined from several files have words in UTF-8, too, which are no evidence about the others.
      if isForeign, word.count <= 60, seen.insert(word).inserted,
        String(validating: word, as: UTF8.self) == nil
      {
        all.append(word)
      }
      word.removeAll(keepingCapacity: true)
      isForeign = false
    }
    for byte in bytes.prefix(Self.maxLength) {
      if byte == UInt8(ascii: "\r") { returns += 1 }
      if byte == UInt8(ascii: "\n") { feeds += 1 }
      if Self.isSeparator(byte) {
        end()
        if all.count >= Self.maximum { break }
      } else {
        word.append(byte)
        if byte >= 0x80 { isForeign = true }
      }
    }
    end()
    hasMacLines = returns > 0 && feeds == 0
  }

  /// Bytes that no encoding uses in the middle of a character, except for rare four-byte ones of GB 18030.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: ":"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "/"):
      true
    default: false
    }
  }
}

/// An encoding with one byte for each character.
struct SingleByteTable {
  /// The encodings that are tried, with a bonus for the most frequent ones.
  static let candidates: [(TextEncoding, Double)] = [
    ("windows-1252", 0.15), ("windows-1250", 0.1), ("windows-1251", 0.1), ("windows-1253", 0.1),
    ("windows-1254", 0.1), ("windows-1257", 0.08), ("windows-1255", 0.1), ("windows-1256", 0.1),
    ("windows-874", 0), ("macintosh", 0.06), ("ibm850", 0.04), ("iso-8859-2", 0.04),
    ("koi8-r", 0.04), ("iso-8859-5", 0), ("iso-8859-7", 0), ("iso-8859-9", 0), ("iso-8859-15", 0),
    ("koi8-u", 0), ("ibm852", 0), ("ibm866", 0.02), ("ibm737", 0), ("ibm857", 0), ("ibm775", 0),
    ("x-mac-centraleurroman", 0), ("x-mac-cyrillic", 0), ("x-mac-greek", 0),
  ].compactMap { name, bonus in TextEncoding(named: name).map { ($0, bonus) } }

  private static let tables: [TextEncoding: SingleByteTable] = Dictionary(
    uniqueKeysWithValues: candidates.map { ($0.0, SingleByteTable($0.0)) })

  static func of(_ encoding: TextEncoding) -> SingleByteTable {
    tables[encoding] ?? SingleByteTable(encoding)
  }

  /// The characters of the bytes from 0x80 on.
  private let upper: [Unicode.Scalar]
  private let isMacintosh: Bool
  /// Those of the languages that can be written in it.
  private let alphabets: [Alphabet]

  private init(_ encoding: TextEncoding) {
    upper = (UInt8(0x80)...0xFF).map { byte in
      encoding.text([byte]).unicodeScalars.first ?? "\u{FFFD}"
    }
    alphabets = Alphabet.all(in: Set(upper.map(Alphabet.lowercase)))
    isMacintosh = encoding.name.contains("mac")
  }

  private func scalar(_ byte: UInt8) -> Unicode.Scalar {
    byte < 0x80 ? Unicode.Scalar(byte) : upper[Int(byte) - 0x80]
  }

  /// The similarity of the words to words of a language: about 1 for a match, below 0 for another encoding.
  func score(_ words: ForeignWords) -> Double {
    var letters: [Unicode.Scalar: Int] = [:]
    var signs = 0.0
    var count = 0
    for word in words.all {
      let scalars = word.map(scalar)
      for place in scalars.indices where word[place] >= 0x80 {
        count += 1
        let found = SeenCharacter(scalars, at: place)
        signs += found.score
        if let letter = found.letter { letters[letter, default: 0] += 1 }
      }
    }
    let bonus = words.hasMacLines && isMacintosh ? 0.3 : 0
    return (signs + Alphabet.best(of: letters, in: alphabets)) / Double(max(1, count)) + bonus
  }
}

/// A character above ASCII between its neighbours in a word.
private struct SeenCharacter {
  /// In lower case; nil for a sign.
  let letter: Unicode.Scalar?
  /// The evidence for or against the encoding from its place, without the letter itself.
  let score: Double

  init(_ word: [Unicode.Scalar], at place: Int) {
    let scalar = word[place]
    let before = place > 0 ? word[place - 1] : nil
    let after = place + 1 < word.count ? word[place + 1] : nil
    guard scalar.properties.isAlphabetic, scalar.value != 0xAA, scalar.value != 0xBA else {
      letter = nil
      score = Self.score(ofSign: scalar, before, after, in: word)
      return
    }
    letter = Alphabet.lowercase(scalar)
    var score = before.map(Self.isDigit) == true ? -0.7 : 0.0
    // No word of Turkish begins with it.
    if letter == "ğ", before?.properties.isAlphabetic != true { score -= 1 }
    if scalar.properties.isUppercase {
      if before?.properties.isLowercase == true {
        score -= 1.5
      } else if before?.properties.isUppercase == true, after?.properties.isLowercase == true {
        score -= 0.5
      } else if before?.properties.isUppercase == true || after?.properties.isUppercase == true {
        score -= 0.1
      }
    } else if before?.properties.isUppercase == true, after?.properties.isUppercase == true {
      score -= 1
    }
    // A word is written in one script.
    let isLatin = Alphabet.isLatin(scalar)
    for other in [before, after].compactMap({ $0 })
    where other.properties.isAlphabetic && Alphabet.isLatin(other) != isLatin {
      score -= 1
    }
    self.score = score
  }

  private static func score(
    ofSign scalar: Unicode.Scalar, _ before: Unicode.Scalar?, _ after: Unicode.Scalar?,
    in word: [Unicode.Scalar]
  ) -> Double {
    switch scalar.properties.generalCategory {
    case .control, .privateUse, .unassigned, .surrogate: return -3
    default: break
    }
    if scalar == "\u{FFFD}" { return -4 }
    // “2ª”, “nº”.
    if scalar == "º" || scalar == "ª", let before, isDigit(before) || before == "n" || before == "N"
    {
      return 1
    }
    let isInside =
      before?.properties.isAlphabetic == true && after?.properties.isAlphabetic == true
    if isInside { return scalar == "’" ? 0.5 : scalar == "·" ? 0 : -1.5 }
    return usual.contains(scalar) ? 0.3 : -1
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  /// Signs that lists contain.
  private static let usual = Set("“”„‘’‚–—…«»‹›°ºª·€£§²³½¼¾®©™¿¡\u{A0}´×№•±".unicodeScalars)
}

/// The letters of a language besides A to Z.
private struct Alphabet {
  private let common: Set<Unicode.Scalar>
  private let rare: Set<Unicode.Scalar>
  /// Nearly 1 for a common letter. Of two languages that share a byte, the one decides in which its letter is more
  /// frequent.
  private let weights: [Unicode.Scalar: Double]

  private static let rareWeight = 0.7
  /// The difference between the first and the last common letter.
  private static let slope = 0.03

  /// `common` are the usual letters, the most frequent first.
  private init(_ common: String, _ rare: String = "") {
    let letters = Array(common.unicodeScalars)
    self.common = Set(letters)
    self.rare = Set(rare.unicodeScalars)
    var weights = Dictionary(
      rare.unicodeScalars.map { ($0, Self.rareWeight) }, uniquingKeysWith: { $1 })
    for (place, letter) in letters.enumerated() {
      weights[letter] = 1 - Self.slope * Double(place) / Double(letters.count)
    }
    self.weights = weights
  }

  /// A letter in lower case. The capital “İ” stays: its small letter is that of ASCII.
  static func lowercase(_ letter: Unicode.Scalar) -> Unicode.Scalar {
    guard let small = letter.properties.lowercaseMapping.unicodeScalars.first, !small.isASCII else {
      return letter
    }
    return small
  }

  /// The alphabets whose common letters are all among these.
  static func all(in letters: Set<Unicode.Scalar>) -> [Alphabet] {
    all.filter { $0.common.isSubset(of: letters) }
  }

  /// The number of letters that belong to the language, less the letters that do not.
  private func score(of letters: [Unicode.Scalar: Int]) -> Double {
    letters.reduce(0) { sum, entry in
      let weight = weights[entry.key] ?? (Self.isKnown(entry.key) ? -0.4 : -1)
      return sum + weight * Double(entry.value)
    }
  }

  static func best(of letters: [Unicode.Scalar: Int], in alphabets: [Alphabet]) -> Double {
    guard !letters.isEmpty else { return 0 }
    // Letters of a language that the encoding cannot write are against it.
    return alphabets.map { $0.score(of: letters) }.max()
      ?? -letters.values.reduce(0) { $0 + Double($1) }
  }

  /// Whether a letter belongs to some language here.
  private static func isKnown(_ letter: Unicode.Scalar) -> Bool { known.contains(letter) }

  static func isLatin(_ scalar: Unicode.Scalar) -> Bool { scalar.value < 0x250 }

  private static let known = all.reduce(into: Set<Unicode.Scalar>()) {
    $0.formUnion($1.common)
    $0.formUnion($1.rare)
  }

  private static let all: [Alphabet] = [
    // Portuguese, Spanish, French, Italian, Catalan.
    Alphabet("ãçáéíóâêú", "õàôü"), Alphabet("óíáéñú", "ü"), Alphabet("éèàêçô", "âîûëïùœüÿæ"),
    Alphabet("àèùòì", "éîí"), Alphabet("óàéèíç", "òúïü"),
    // German, Dutch, Danish and Norwegian, Swedish and Finnish, Icelandic, Albanian.
    Alphabet("üäöß", "éàèâáç"), Alphabet("éëï", "èöüçáó"), Alphabet("øåæ", "éöäüóôòêà"),
    Alphabet("äöå", "éüàæø"), Alphabet("", "áðéíóúýþæö"), Alphabet("", "ëç"),
    // Polish, Czech, Slovak, Hungarian, Romanian, Croatian and its neighbours.
    Alphabet("łóążęśćńź"), Alphabet("íáéěřčžýšů", "úťďňóäöü"), Alphabet("áíýčžéšľťúô", "ňďóäŕĺ"),
    Alphabet("áéóöíüőűú"), Alphabet("ăâşţ", "îáéö"), Alphabet("ăâșț", "îáéö"), Alphabet("čšžćđ"),
    // Turkish, Estonian, Latvian, Lithuanian.
    Alphabet("ıİşğüöç", "âîû"), Alphabet("õäüö", "šž"), Alphabet("āēīšņļģžķčū"),
    Alphabet("ėųšžįūąęč"),
    // Russian, Ukrainian and Belarusian, Bulgarian, Serbian and Macedonian.
    Alphabet("оеаинтсрвлкмдпуыьябг", "зчйхжшюцщэфъё"),
    Alphabet("оаиніврткелсдмпуязьбг", "чйхжшюцщфїєґўыэё"),
    Alphabet("аоеиянртсвлкпдмузъгб", "чйхжшюцщфь"),
    Alphabet("аоеинртсвјкудмлпзг", "бњчцшжћљђџхфќѓѕ"),
    // Greek, Hebrew, Arabic and Persian, Thai.
    Alphabet("αοιετσνηυρπκμλωςάέήίόύώ", "γδθβφχζξψϊϋΐΰ"),
    Alphabet("אבגדהוזחטיךכלםמןנסעףפץצקרשת"),
    Alphabet("ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئ", "پچژگکی"),
    Alphabet(
      "กขคงจชดตถทนบปผพมยรลวสหอะาิีึืุูเแโใไ่้๊๋์ัำ็", "ฃฅฆฉซฌญฎฏฐฑฒณธฝฟภฬฮฤศษๆฯ"),
  ]
}
