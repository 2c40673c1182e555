import Accounts
import Pictures
import PrivacyMap
import Service
import WebServer

/// A moderation action requested by a moderator, read from the request body.
struct ModerationActionRequest: Sendable {
  let action: ModerationAction
  let target: Target
  /// Nil only for `accept`: an approval needs no explanation.
  let typedReason: String?
  /// The revision of a device that `revert` undoes.
  let revision: Int64?
  /// The id of the device that `merge` merges into.
  let into: String?
  /// The regions of a photo that `redact` blacks out.
  let regions: [PhotoRegion]
  /// The length of a suspension; nil for an unlimited one.
  let days: Int?
  /// The version of the target that the moderator saw, as given by the queue.
  let version: String?
  /// Only previews the effects of reverting a person's contributions.
  let isDryRun: Bool

  /// The typed reason; for an approval without one, the name of the action.
  var reason: String { typedReason ?? action.rawValue }

  private static let members: Set<String> = ["action", "target", "reason", "dry_run", "version"]
  private static let targetMembers: Set<String> = ["revision", "into", "regions", "days", "all"]

  /// The kinds of targets of an action.
  private static func kinds(of action: ModerationAction) -> [Target.Kind] {
    switch action {
    case .hide, .restore: [.device, .photo]
    case .revert: [.device, .account]
    case .redact: [.photo]
    case .merge, .delete: [.device]
    case .warn, .suspend, .unsuspend: [.account]
    case .dismiss: Target.Kind.allCases
    case .accept: [.review, .account]
    }
  }

  /// Actions that approve something or edit a picture. They name the version that was seen, because its
  /// author may have changed it since.
  private static let ofVersions: Set<ModerationAction> = [.accept, .dismiss, .redact]

  /// - Throws: ``InvalidInput``; a 4xx ``Refusal`` if the body is not a JSON object.
  init(_ request: Request) throws {
    var body = try RequestBody(request, Self.members)
    let code = body.code(
      "action", ModerationAction.requested.map(\.rawValue), isRequired: true)
    let action = code.flatMap(ModerationAction.init(rawValue:))
    let kinds = action.map(Self.kinds) ?? Target.Kind.allCases
    var details = Details()
    let target = try body.target(kinds, more: Self.targetMembers) { inner in
      details.read(&inner, for: action)
    }
    let reason = body.reason(isRequired: action != .accept)
    isDryRun = body.flag("dry_run") ?? false
    version = body.version(isRequired: action.map(Self.ofVersions.contains) ?? false)
    if let action, let target { details.check(action, target, &body) }
    if isDryRun, action != .revert || target?.kind != .account {
      body.refuse("dry_run", Message("error.dry_run"))
    }
    try body.check()
    self.action = try action.given()
    self.target = try target.given()
    typedReason = self.action == .accept ? reason : try reason.given()
    revision = details.revision
    into = details.into
    regions = details.regions
    days = details.days
  }

  /// The members of a target other than its id.
  private struct Details {
    var revision: Int64?
    var into: String?
    var regions: [PhotoRegion] = []
    var days: Int?

    mutating func read(_ body: inout RequestBody, for action: ModerationAction?) {
      revision = body.integer("revision", 1...1_000_000_000).map { Int64($0) }
      into = body.text("into", 1...100).map { DeviceID(text: $0)?.text ?? $0 }
      days = body.integer("days", 1...3_650)
      if action == .redact { regions = body.photoRegions("regions") }
      _ = body.flag("all")
    }

    /// Reports members that the action needs and the request lacks.
    func check(_ action: ModerationAction, _ target: Target, _ body: inout RequestBody) {
      if action == .revert, target.kind == .device, revision == nil {
        body.fault("target.revision", Message("error.missing_member"))
      }
      if action == .merge, into == nil {
        body.fault("target.into", Message("error.missing_member"))
      }
      if action == .merge, into == target.id {
        body.refuse("target.into", Message("error.merge_itself"))
      }
    }
  }
}
