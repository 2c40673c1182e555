extension ErasureList {
  /// Kinds of objects that can be erased, and of settings that protect a person.
  ///
  /// ``RestoreRule`` names the kinds that repeat the erasures of each table with personal data.
  package enum Kind: String, CaseIterable, Sendable {
    case account, choice, device, organisation, picture, proposal, volunteer, watch
    /// The claim of an organisation to operate a device.
    case claim
    /// An application for research access.
    case research

    /// The precision of a device.
    case precision
    /// Whether a device is removed; its content can still be restored.
    case removed
    /// Whether a moderator hides a device.
    case hidden
    /// Whether a photo is deleted.
    case photo
    /// The state of a photo that is not deleted: `public`, `waiting` or `hidden`.
    case photoState = "photo_state"
    /// The version from which a photo is redacted; `0` if that was undone.
    case redaction
    /// The role of an account.
    case role
    /// Whether an account receives requests for records.
    case recordRequests = "record_requests"
    /// The state in which a request for records, and the permission given to it, ended.
    case permission
    /// The state of research access.
    case researchState = "research_state"
    /// The parts of a watch that are off, such as `feed mail`.
    case watchParts = "watch_parts"
    /// The parts of a choice that are off, such as `reminders`.
    case choiceParts = "choice_parts"
    /// Whether an organisation has a statement under a claim.
    case statement
    /// Whether the name of a person is withheld from the list of operators: `withheld` or `listed`. The id is a digest.
    case operatorName = "operator_name"

    /// A plan of a mapping day, and the part of an account in one.
    case mappingDay = "mapping_day"
    case participation
    /// The state in which a mapping day ended early: `cancelled`.
    case mappingDayState = "mapping_day_state"
    /// Whether the page of a mapping day may name a participant: `hidden` or `shown`.
    case participationName = "participation_name"
    /// The parts of volunteering that are off: `found`, `mail`, `offers`.
    case volunteerParts = "volunteer_parts"

    /// Whether entries state the value of a setting, of which the last one counts.
    package var isSetting: Bool {
      switch self {
      case .account, .choice, .device, .organisation, .picture, .proposal, .volunteer, .watch,
        .claim, .research, .mappingDay, .participation:
        false
      case .precision, .removed, .hidden, .photo, .photoState, .redaction, .role, .recordRequests,
        .permission, .researchState, .watchParts, .choiceParts, .statement,
        .mappingDayState, .operatorName, .participationName, .volunteerParts:
        true
      }
    }
  }
}
