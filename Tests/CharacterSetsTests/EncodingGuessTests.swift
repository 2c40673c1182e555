import CharacterSets
import Testing

/// Texts in an encoding. The library only reads encodings, so the table of an encoding is searched: by one byte for each
/// character, or by two.
enum TestEncoder {
  static func bytes(of encoding: TextEncoding, _ text: String) -> [UInt8]? {
    let table = tables[encoding.name] ?? [:]
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        bytes.append(UInt8(scalar.value))
      } else if let found = table[scalar] {
        bytes += found
      } else {
        return nil
      }
    }
    return bytes
  }

  private static let tables: [String: [Unicode.Scalar: [UInt8]]] = Dictionary(
    uniqueKeysWithValues: TextEncoding.all.map { ($0.name, table(of: $0)) })

  private static func table(of encoding: TextEncoding) -> [Unicode.Scalar: [UInt8]] {
    var table: [Unicode.Scalar: [UInt8]] = [:]
    func add(_ bytes: [UInt8]) {
      let scalars = Array(encoding.text(bytes).unicodeScalars)
      guard scalars.count == 1, scalars[0] != "\u{FFFD}", table[scalars[0]] == nil else { return }
      table[scalars[0]] = bytes
    }
    for byte in UInt8(0x80)...0xFF { add([byte]) }
    let isWide = ["shift_jis", "euc-jp", "gb18030", "big5", "windows-949"].contains(encoding.name)
    guard isWide else { return table }
    for first in UInt8(0x81)...0xFE { for second in UInt8(0x40)...0xFE { add([first, second]) } }
    return table
  }
}

/// Words as lists of devices have them, in the encodings in which old programs save them.
struct EncodingGuessTests {
  private static let german =
    "Kamera Süd;Straße;Bahnhöfe\nGroße Brücke;für Fußgänger;Überwachung\nMüller & Söhne;Zürich;Tür"
  private static let portuguese =
    "Câmara de Vigilância;Praça do Município;Estação\nEscola Básica;São João;Farmácia"
  private static let french = "Caméra;Hôtel de Ville;Gare de l'Est côté sud;École;Forêt"
  private static let polish =
    "Kamera przy szkole;Łódź;ulica Świętej Anny;skrzyżowanie;Urząd Miasta Poznań;wejście"
  private static let czech =
    "Kamera;náměstí Míru;křižovatka;Městský úřad Plzeň;vjezd u školy;průjezd"
  private static let hungarian = "Térfigyelő kamera;Kossuth tér;főbejárat;Győr;szökőkút;utasfülke"
  private static let romanian = "Cameră fixă;Piaţa;strada Ştefan;Bucureşti;intrare în şcoală"
  private static let turkish = "Güvenlik kamerası;kapı girişi;Çankaya;Işıklar köprüsü;meydanı"
  private static let russian = "Камера на перекрёстке;улица Ленина;вход в школу;Москва;парковка"
  private static let ukrainian = "Камера спостереження;вулиця Київська;вхід;площа Незалежності"
  private static let greek = "Κάμερα κυκλοφορίας;οδός Αθηνάς;πλατεία Συντάγματος;είσοδος"
  private static let hebrew = "מצלמה ברחוב;כניסה ראשית;תל אביב"
  private static let arabic = "كاميرا المراقبة;شارع الملك;مدخل المدرسة"
  private static let thai = "กล้องวงจรปิด;ถนนสุขุมวิท;ทางเข้า"
  private static let japanese = "防犯カメラ;駐車場の入口;東京都新宿区;ドーム型カメラ"
  private static let chinese = "摄像头;停车场入口;北京市海淀区;学校大门;交通监控"
  private static let taiwanese = "監視器;停車場入口;臺北市信義區;學校大門;交通攝影機"
  private static let korean = "방범용 카메라;주차장 입구;서울특별시 강남구;학교 정문"

  @Test(arguments: [
    (german, "windows-1252"), (portuguese, "windows-1252"), (french, "windows-1252"),
    (german, "macintosh"), (portuguese, "macintosh"), (french, "macintosh"),
    (german, "ibm850"), (portuguese, "ibm850"), (french, "ibm850"),
    (polish, "windows-1250"), (czech, "windows-1250"), (hungarian, "windows-1250"),
    (romanian, "windows-1250"),
    (polish, "ibm852"), (czech, "ibm852"), (turkish, "windows-1254"),
    (russian, "windows-1251"), (russian, "koi8-r"), (russian, "ibm866"),
    (ukrainian, "windows-1251"), (greek, "windows-1253"), (hebrew, "windows-1255"),
    (arabic, "windows-1256"), (thai, "windows-874"), (japanese, "shift_jis"),
    (japanese, "euc-jp"), (chinese, "gb18030"), (taiwanese, "big5"), (korean, "windows-949"),
  ])
  func `the words of a list tell its encoding`(text: String, name: String) throws {
    let encoding = try #require(TextEncoding(named: name))
    let bytes = try #require(TestEncoder.bytes(of: encoding, text))
    let guessed = TextEncoding.guess(bytes)
    // Encodings that agree on these words are the same here.
    #expect(guessed.text(bytes) == text, "\(guessed.name)")
  }

  /// A list of few rows, each mostly in ASCII.
  @Test(arguments: [
    ("id,name,lat,lon\n1,Câmera Norte,46.2,6.1\n2,Câmera Sul,46.3,6.2\n", "windows-1252"),
    ("id;name\n1;Камера 1\n2;Камера 2\n", "windows-1251"),
    ("id;name\n1;КАМЕРА\n", "windows-1251"), ("id;name\n1;Κάμερα\n", "windows-1253"),
    ("id;name\n1;Wejście główne\n", "windows-1250"), ("id,name\n1,カメラ\n", "shift_jis"),
    ("id,name\r1,Café Zürich\r2,Straße\r", "macintosh"), ("id,name\n1,카메라\n", "windows-949"),
    ("id,name\n1,攝影機\n", "big5"), ("1;Şişli caddesi\n", "windows-1254"),
    ("1;Rīgas iela\n", "windows-1257"), ("1;Főutca kereszteződés\n", "windows-1250"),
    ("1;nº 5, 2ª rua\n", "windows-1252"), ("1;ПАРКОВКА\n", "windows-1251"),
    ("1;Škola Třída\n", "windows-1250"), ("1;路口監視器\n", "big5"),
    ("1;İzmir\n2;İstanbul\n3;Avcılar\n", "windows-1254"), ("1;Beyoğlu\n", "windows-1254"),
    ("1;Kızılay\n2;Dikmen Kapı\n", "windows-1254"), ("1;İTFAİYE\n2;MUĞLA\n", "windows-1254"),
    ("1;Đakovo\n2;Čakovec\n", "windows-1250"), ("1;Nový Jičín\n", "windows-1250"),
    ("1;Timişoara\n2;Galaţi\n", "windows-1250"),
    ("1;Vík í Mýrdal\n2;Sauðárkrókur\n", "windows-1252"),
  ])
  func `few words are enough`(text: String, name: String) throws {
    let encoding = try #require(TextEncoding(named: name))
    let bytes = try #require(TestEncoder.bytes(of: encoding, text))
    let guessed = TextEncoding.guess(bytes)
    #expect(guessed.text(bytes) == text, "\(guessed.name)")
  }

  @Test func `a text without foreign bytes is Windows-1252, as all its encodings agree`() {
    #expect(TextEncoding.guess(Array("id,name\n".utf8)) == .windows1252)
  }
}

struct TextEncodingTests {
  @Test(arguments: [
    ("latin-1", "iso-8859-1"), ("CP1251", "windows-1251"), ("Windows-1250", "windows-1250"),
    ("CP949", "windows-949"), ("EUC-KR", "euc-kr"), ("Big5", "big5"), ("Shift_JIS", "shift_jis"),
    ("cp850", "ibm850"), ("mac", "macintosh"), ("UTF-8", "utf-8"), ("latin1", "iso-8859-1"),
  ])
  func `an alias names an encoding`(alias: String, name: String) {
    #expect(TextEncoding(named: alias)?.name == name)
  }

  @Test(arguments: ["", "ebcdic", "../../etc/passwd", "utf-7", String(repeating: "a", count: 100)])
  func `other names are unknown`(name: String) { #expect(TextEncoding(named: name) == nil) }

  @Test func `every encoding to choose from is known to the library`() {
    for encoding in TextEncoding.all {
      #expect(encoding.text([0x41, 0x00].prefix(encoding.name.hasPrefix("utf-16") ? 2 : 1)) != "")
    }
    #expect(Set(TextEncoding.all).count == TextEncoding.all.count)
  }

  /// A character of several bytes may be cut between pieces of a file.
  @Test func `pieces of any size give the same text`() throws {
    let encoding = try #require(TextEncoding(named: "shift_jis"))
    let bytes = try #require(TestEncoder.bytes(of: encoding, "カメラ\n"))
    for size in 1...bytes.count {
      var transcoder = Transcoder(from: encoding)
      var result: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        let end = min(start + size, bytes.count)
        bytes[start..<end].withUnsafeBufferPointer { piece in
          transcoder.convert(piece, isLast: end == bytes.count) { result.append(contentsOf: $0) }
        }
      }
      #expect(String(decoding: result, as: UTF8.self) == "カメラ\n")
    }
  }

  @Test func `bytes that are no text become the replacement character`() throws {
    let encoding = try #require(TextEncoding(named: "shift_jis"))
    #expect(encoding.text([0x41, 0x81]).hasSuffix("\u{FFFD}"))
    #expect(TextEncoding.windows1252.text([0x93, 0x81]) == "\u{201C}\u{81}")
  }

  @Test func `a mark tells UTF-16`() {
    #expect(TextEncoding(markOf: [0xFF, 0xFE, 0x41, 0]) == .utf16LittleEndian)
    #expect(TextEncoding(markOf: [0xFE, 0xFF, 0, 0x41]) == .utf16BigEndian)
    #expect(TextEncoding(markOf: [0xEF, 0xBB, 0xBF]) == nil && TextEncoding(markOf: []) == nil)
  }
}
