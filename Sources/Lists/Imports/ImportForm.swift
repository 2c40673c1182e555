import Accounts
import Import
import JSON
import Service
import WebServer

/// The fields of the import form.
struct ImportForm {
  let file: ByteSource
  /// The name of a mapping of the instance, or `auto`.
  let mapping: String
  /// A mapping file that is sent along instead.
  let mappingFile: JSONValue?
  let options: ImportRun.Options

  private static let names: Set<String> = [
    "file", "mapping", "mapping_file", "dry_run", "source", "licence",
  ]

  /// - Throws: a 400, 415 or 422 that names each field.
  init(_ request: Request) throws {
    let form = try FileForm(request, maxLengths: ["mapping_file": MappingText.maxLength])
    var body = try RequestBody(form.fields, Self.names, prefix: "")
    mapping = body.text("mapping", 1...60) ?? "auto"
    let isDryRun = body.code("dry_run", ["true", "false"]) == "true"
    var options = ImportRun.Options()
    options.isDryRun = isDryRun
    options.sourceName = body.text("source", 1...200)
    options.licence = body.text("licence", 1...60)
    self.options = options
    if form.file == nil { body.fault("file", Message("error.missing_member")) }
    if body.has("mapping"), body.has("mapping_file") {
      body.fault("mapping_file", Message("error.import.two_mappings"))
    }
    try body.check()
    file = try form.file.given()
    mappingFile = try form.fields["mapping_file"]?.stringValue.map {
      try MappingText.json($0, in: "mapping_file")
    }
  }
}
