import Accounts
import Import
import JSON
import Service
import WebServer

/// `/api/admin/import-inspections`: the format and the columns of a list, before there is a mapping for it.
struct InspectionRoutes: Sendable {
  var endpoints: [Endpoint] {
    [
      Endpoint(
        "inspectList", .post, "/api/admin/import-inspections", tag: "Administration",
        summary:
          "The format and the columns of a list, to write a mapping for it. Nothing is stored.",
        access: .admin, body: .form("inspectionForm", limit: ImportRoutes.limit, isStored: true),
        answers: [
          .ok(
            "The content of the list. If the file has several lists, `choices` names them and there are no columns.",
            schema: "importInspection")
        ], .long(inspect))
    ]
  }

  @Sendable private func inspect(_ request: Request, _ caller: Caller) throws -> Response {
    _ = try caller.signedIn()
    return try Self.answer(request)
  }

  /// Inspects the file of a form.
  ///
  /// - Throws: a 400, 415 or 422 that names the field.
  static func answer(
    _ request: Request, _ limits: ListInspection.Limits = ListInspection.Limits()
  ) throws -> Response {
    let form = try FileForm(request)
    var body = try RequestBody(form.fields, ["file", "input"], prefix: "")
    if form.file == nil { body.fault("file", Message("error.missing_member")) }
    try body.check()
    let input = try form.fields["input"]?.stringValue.map { try MappingText.json($0, in: "input") }
    let file = try form.file.given()
    do {
      return .json(
        Inspected(
          file: file.name, list: try ListInspection(of: file, input: input, limits: limits)),
        as: Inspected.shape)
    } catch let failure as ImportFailure where !failure.choices.isEmpty {
      return .json(
        Inspected(file: file.name, problem: failure.reason, choices: failure.choices),
        as: Inspected.shape)
    } catch let failure as ImportFailure {
      throw InvalidInput.refused("file", "error.import.unreadable", ["reason": failure.description])
    } catch let invalid as InvalidMapping {
      throw MappingText.refusal(invalid, in: "input")
    }
  }
}

/// A mapping, or a part of one, in a field of a form.
enum MappingText {
  /// More than twenty times the longest mapping of the sample.
  static let maxLength = 256 << 10

  /// - Throws: a 422 that names the field if the text is too long or not a JSON object.
  static func json(_ text: String, in field: String) throws -> JSONValue {
    guard text.utf8.count <= maxLength else {
      throw InvalidInput.refused(
        field, "error.import.mapping_long", ["maximum": "\(maxLength >> 10)"])
    }
    do {
      let json = try JSONValue(parsing: Array(text.utf8))
      guard json.objectValue != nil else {
        throw InvalidMapping(key: "", reason: "a mapping must be an object")
      }
      return json
    } catch { throw refusal(error, in: field) }
  }

  /// The error of a mapping as a 422 that names the field.
  static func refusal(_ error: any Error, in field: String) -> InvalidInput {
    InvalidInput.refused(field, "error.import.mapping_invalid", ["reason": "\(error)"])
  }
}

/// The result of an inspection: the content of the list, or the reason why a list of the file must be named.
struct Inspected {
  let file: String
  var list: ListInspection?
  var problem: String?
  var choices: [String] = []

  static let shape = JSONShape<Inspected>(
    "importInspection", .text("file", \.file), .text("problem", \.problem),
    .texts("choices", \.choices), .text("format", \.list?.format.rawValue),
    .flag("packed") { $0.list?.isPacked ?? false }, .text("encoding", \.list?.encodingName),
    .flag("encoding_guessed") { $0.list?.isEncodingGuessed ?? false },
    .texts("encoding_samples") { $0.list?.foreignSamples ?? [] },
    .texts("encodings") { _ in ListInspection.encodings },
    .count("header_row") { $0.list?.headerRow ?? 1 },
    .text("separator") { $0.list?.separator.map(String.init) },
    .flag("double_encoded") { $0.list?.isDoubleEncoded ?? false },
    .count("rows") { $0.list?.rows ?? 0 }, .count("unreadable") { $0.list?.unreadable ?? 0 },
    .flag("complete") { $0.list?.isComplete ?? false },
    .text("incomplete", \.list?.incomplete), .text("fault", \.list?.fault),
    .list("columns", of: column) { $0.list?.columns ?? [] },
    .flag("more_columns") { $0.list?.hasMoreColumns ?? false },
    .init("sample", .list(of: .count)) { JSONValue.array(($0.list?.sample ?? []).map(number)) },
    .init("positions", .list(of: JSONSchema.list(of: .number).orNull)) {
      JSONValue.array(
        ($0.list?.positions ?? []).map { position in
          position.map { .array([degrees($0.longitude), degrees($0.latitude)]) } ?? .null
        })
    })

  private static let column = JSONShape<InspectedColumn>(
    nil, .text("column", \.column), .oneOf("kind", \.kind), .texts("date_formats", \.dateFormats),
    .count("filled") { $0.filled }, .flag("unique", \.isUnique), .texts("samples", \.samples),
    .list("values", of: value, \.values),
    .init("numbers", .list(of: JSONSchema.number.orNull)) {
      JSONValue.array($0.numbers.map { $0.map(degrees) ?? .null })
    },
    .init("pairs", .list(of: JSONSchema.list(of: .number).orNull)) {
      JSONValue.array(
        $0.pairs.map { pair in
          pair.map { .array([degrees($0.first), degrees($0.second)]) } ?? .null
        })
    },
    .text("order", \.order), .flag("letter_o", \.hasLetterO))

  private static let value = JSONShape<InspectedColumn.Value>(
    nil, .text("value", \.text), .count("count") { $0.count })

  private static func number(_ row: Int) -> JSONValue { .integer(Int64(row)) }

  /// Six decimals are a tenth of a metre. Lists may contain numbers of any size.
  private static func degrees(_ number: Double) -> JSONValue {
    abs(number) < 1e9 ? .double((number * 1e6).rounded() / 1e6) : .double(number)
  }
}
