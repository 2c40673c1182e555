import Import
import JSON
import PrivacyMap
import Service

/// A proposal as shown to its contributor and to moderators.
struct ShownProposal: Sendable {
  let proposal: Proposal
  /// Whether the caller proposed it.
  let isOwn: Bool
  /// Whether the caller sees the number of the import, which only admins can open.
  let showsImport: Bool
  /// In the response about one proposal.
  var rows: [ProposedRow]?

  init(_ proposal: Proposal, for caller: Principal, rows: [ProposedRow]? = nil) {
    self.proposal = proposal
    isOwn = proposal.account == caller.account
    showsImport = caller.role == .admin && caller.moderates
    self.rows = rows
  }

  private static let decision = JSONShape<ShownProposal>(
    nil, .time("at") { $0.proposal.decision?.at ?? "" },
    .text("by") { $0.proposal.decision?.by }, .text("reason") { $0.proposal.decision?.reason },
    .count("accepted") { $0.proposal.decision?.accepted ?? 0 },
    .count("import") { $0.showsImport ? $0.proposal.decision?.importRun : nil })

  static let shape = JSONShape<ShownProposal>(
    "proposal", .uuid("id", \.proposal.id), .oneOf("state", \.proposal.state),
    .text("file", \.proposal.file), .count("bytes", \.proposal.bytes),
    .text("format", \.proposal.format),
    .group(
      "source", .text("name", \.proposal.source.name),
      .text("licence", \.proposal.source.licence),
      .text("attribution", \.proposal.source.attribution), .text("url", \.proposal.source.url)),
    .text("comment", \.proposal.comment), .text("by", \.proposal.by), .flag("own", \.isOwn),
    .count("rows") { Int64($0.proposal.counts.rows) },
    .count("devices") { Int64($0.proposal.counts.devices) },
    .count("flagged") { Int64($0.proposal.counts.flagged) },
    .count("skipped") { Int64($0.proposal.counts.skipped) },
    .count("refused") { Int64($0.proposal.counts.refused) },
    .time("created_at", \.proposal.createdAt), .time("expires_at", \.proposal.expiresAt),
    .object("decision", decision) { $0.proposal.decision == nil ? nil : $0 },
    JSONShape<ShownProposal>.Member.init(
      "proposed", .list(of: row.schema)
    ) { $0.rows?.map(row.json) }.optional)

  static let page = JSONShape<ListPage>(
    "proposals", of: shape.schema, in: "proposals", hasCounts: true)

  static let row = JSONShape<ProposedRow>(
    "proposedDevice", .count("number") { Int64($0.number) },
    .count("row") { Int64($0.device.row) }, .text("name", \.device.fields.name),
    .text("category", \.device.fields.category),
    .degrees("longitude", \.device.coordinate.longitude),
    .degrees("latitude", \.device.coordinate.latitude),
    .object("properties") { ProposedDeviceJSON.properties($0.device.fields) },
    .list("notes", of: note, \.device.notes), .flag("far", \.caution.isFar),
    .list("duplicates", of: duplicate, \.caution.duplicates),
    JSONShape<ProposedRow>.Member.init("accepted", JSONSchema.flag.orNull) {
      $0.isAccepted.map(JSONValue.bool) ?? JSONValue.null
    })

  private static let note = JSONShape<ImportNote>(
    nil, .text("field", \.field), .text("code", \.code), .text("detail", \.detail))
  private static let duplicate = JSONShape<ProposalCaution.Duplicate>(
    nil, .uuid("id", \.id), .text("name", \.name), .number("distance") { $0.distance.rounded() })
}

/// The result of trying a proposal: nothing is stored.
struct ProposalTrial: Sendable {
  let file: String
  let reading: ProposalReading
  let rows: [ProposedRow]

  static let shape = JSONShape<ProposalTrial>(
    "proposalTrial", .text("file", \.file), .text("format", \.reading.format),
    .count("rows") { Int64($0.reading.counts.rows) },
    .count("devices") { Int64($0.reading.counts.devices) },
    .count("flagged") { Int64($0.rows.count { !$0.device.notes.isEmpty || !$0.caution.isEmpty }) },
    .count("skipped") { Int64($0.reading.counts.skipped) },
    .count("refused") { Int64($0.reading.counts.refused) },
    .count("maximum") { _ in Int64(Proposal.maximum) },
    .list("notes", of: note, \.reading.refused),
    .list("proposed", of: ShownProposal.row, \.rows))

  private static let note = JSONShape<ProposalReading.Refused>(
    nil, .count("row") { Int64($0.row) }, .text("severity", \.severity),
    .text("field", \.note.field), .text("code", \.note.code), .text("detail", \.note.detail))
}
