import JSON
import PrivacyMap
import SpatialDatabase
import WebServer

/// What a moderator asks for, read from a body.
struct ActRequest: Sendable {
  let action: ModerationAction
  let target: Target
  let reason: String
  /// The revision that `revert` takes back, of a device.
  let revision: Int64?
  /// The id of the device that `merge` merges into.
  let into: String?
  /// The parts that `redact` blacks out of a photo.
  let regions: [PhotoRegion]
  /// How long `suspend` lasts; nil for good.
  let days: Int?
  /// The version of the target that was looked at, as the queue showed it.
  let version: String?
  /// Only tells what `revert` of a person's contributions would do.
  let isDryRun: Bool

  private static let members: Set<String> = ["action", "target", "reason", "dry_run", "version"]
  private static let targetMembers: Set<String> = ["revision", "into", "regions", "days", "all"]

  /// What each action is done to.
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

  /// Actions that say that something is in order, or draw on a picture: they name what was looked at,
  /// which its author may have changed since.
  private static let ofVersions: Set<ModerationAction> = [.accept, .dismiss, .redact]

  /// - Throws: ``InvalidInput``, and a 4xx ``Refusal`` for what is no JSON object.
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
    let reason = body.reason()
    isDryRun = body.flag("dry_run") ?? false
    version = body.version(isRequired: action.map(Self.ofVersions.contains) ?? false)
    if let action, let target { details.check(action, target, &body) }
    if isDryRun, action != .revert || target?.kind != .account {
      body.refuse("dry_run", Message("error.dry_run"))
    }
    try body.check()
    self.action = try action.given()
    self.target = try target.given()
    self.reason = try reason.given()
    revision = details.revision
    into = details.into
    regions = details.regions
    days = details.days
  }

  /// What a target says beyond its id.
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

    /// Refuses an action that lacks what it needs.
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
