import Accounts
import Contributions
import Devices
import Import
import JSON
import PrivacyMap
import Service
import WebServer

/// The form of a proposal: the file, its mapping with the source and the licence, and a comment.
struct ProposalForm {
  let file: ByteSource
  let mapping: ImportMapping
  let source: Proposal.Source
  let comment: String?
  /// Whether nothing is stored.
  let isDryRun: Bool

  private static let names: Set<String> = ["file", "mapping_file", "comment", "dry_run"]
  /// Bytes of the whole form: the file, the longest mapping and the other fields.
  static let limit = ProposalReading.bytes + MappingText.maxLength + (64 << 10)

  /// - Throws: a 400, 415 or 422 that names each field.
  init(_ request: Request, _ mappings: ImportMappings) throws {
    let form = try FileForm(request, maxLengths: ["mapping_file": MappingText.maxLength])
    var body = try RequestBody(form.fields, Self.names, prefix: "")
    isDryRun = body.code("dry_run", ["true", "false"]) == "true"
    comment = body.text("comment", 1...1_000, lines: true)
    for name in ["file", "mapping_file"] where name == "file" ? form.file == nil : !body.has(name) {
      body.fault(name, Message("error.missing_member"))
    }
    try body.check()
    file = try form.file.given()
    let json = try MappingText.json(
      form.fields["mapping_file"]?.stringValue ?? "", in: "mapping_file")
    do { mapping = try mappings.mapping(Self.withCode(json)) } catch {
      throw MappingText.refusal(error, in: "mapping_file")
    }
    source = try Self.source(json)
    if let size = file.size, size > ProposalReading.bytes {
      throw InvalidInput.refused(
        "file", "error.proposal.size", ["maximum": "\(ProposalReading.bytes >> 20)"])
    }
  }

  /// The mapping with a code of its source. A mapping file needs one, but in a proposal it has no effect.
  private static func withCode(_ mapping: JSONValue) -> JSONValue {
    guard var whole = mapping.objectValue, var source = whole["source"]?.objectValue else {
      return mapping
    }
    source["code"] = "proposal"
    whole["source"] = .object(source)
    return .object(whole)
  }

  /// The source that the mapping states itself; one that it would inherit does not count.
  private static func source(_ mapping: JSONValue) throws -> Proposal.Source {
    var body = try RequestBody(
      mapping["source"]?.objectValue ?? JSONObject(),
      ["code", "name", "licence", "attribution", "url", "share_alike"], prefix: "source.")
    let name = body.text("name", 1...200, isRequired: true)
    let licence = body.text("licence", 1...60, isRequired: true)
    let attribution = body.text("attribution", 1...300, isRequired: true)
    let url = body.webAddress("url")
    if let licence, !LicenceAddress.identifiers.contains(licence) {
      body.refuse("licence", Message("error.proposal.licence"))
    }
    try body.check()
    return Proposal.Source(
      name: try name.given(), licence: try licence.given(), attribution: try attribution.given(),
      url: url)
  }
}
