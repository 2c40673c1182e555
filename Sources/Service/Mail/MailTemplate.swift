/// The mails that Farol sends. Their texts are in the catalogue under `mail.<name>.subject`, `.text` and,
/// for mails with a link, `.button`.
package enum MailTemplate: String, CaseIterable, Sendable {
  /// The link that confirms the address of a new account.
  case confirm
  /// The link that confirms a new address for an account; sent to the new address.
  case changeEmail = "change_email"
  /// To the owner of an address that was entered at sign-up or as a new address but is already in use.
  case alreadyRegistered = "already_registered"
  /// The link that sets a new password.
  case reset
  /// To the former address of an account.
  case emailChanged = "email_changed"
  case passwordChanged = "password_changed"
  case secondFactorOn = "second_factor_on"
  case secondFactorOff = "second_factor_off"
  /// An API token with the permissions of a moderator or admin was created.
  case tokenMade = "token_made"
  case accountDeleted = "account_deleted"

  /// The decision of a moderator on a contribution.
  case moderationDecided = "moderation_decided"
  case warned
  case suspended
  case unsuspended
  case roleChanged = "role_changed"
  /// The outcome of a flag.
  case flagAnswered = "flag_answered"
  /// To a person without an account: their report was received.
  case reportReceived = "report_received"
  /// To a person without an account: the outcome of their report.
  case reportAnswered = "report_answered"

  /// The time limit for an answer to a choice ends soon, ends today, or has ended.
  case choiceBefore = "choice_before"
  case choiceOn = "choice_on"
  case choiceAfter = "choice_after"
  /// The operator has answered.
  case choiceAnswered = "choice_answered"

  /// The link that proves that an organisation receives mail at its domain.
  case operatorCheck = "operator_check"
  /// The link with which the owner of a contact address at another domain agrees to receive mail.
  case operatorContact = "operator_contact"
  /// The decision on an organisation, or on the devices that it claims.
  case operatorApproved = "operator_approved"
  case operatorRefused = "operator_refused"
  case operatorWithdrawn = "operator_withdrawn"
  case operatorClaimApproved = "operator_claim_approved"
  case operatorClaimRefused = "operator_claim_refused"
  /// To an organisation: a person has sent it a request.
  case operatorRequest = "operator_request"
  /// To an organisation: the person states that a request is not done although the organisation marked it as done.
  case operatorContested = "operator_contested"

  /// Requests for access to another person's records: the mails to both sides.
  case dataRequestAsked = "data_request_asked"
  case dataRequestGiven = "data_request_given"
  case dataRequestAccepted = "data_request_accepted"
  case dataRequestRefused = "data_request_refused"
  case dataRequestLapsed = "data_request_lapsed"
  case dataRequestRevoked = "data_request_revoked"
  case dataRequestEnded = "data_request_ended"
  case dataRequestWithdrawn = "data_request_withdrawn"

  /// To admins: a person applies for researcher access. To that person: the decision.
  case researchAsked = "research_asked"
  case researchGranted = "research_granted"
  case researchRefused = "research_refused"
  case researchRevoked = "research_revoked"

  /// Changes that a watch found.
  case watchNews = "watch_news"
  /// To moderators: items wait in the queue.
  case watchQueue = "watch_queue"
  case watchTest = "watch_test"
  /// A watch ends soon, because its owner has not changed or kept it for almost a year.
  case watchEnding = "watch_ending"
  /// A webhook did not answer for a day.
  case watchWebhookEnded = "watch_webhook_ended"
  /// The filter of a watch cannot be evaluated, so the watch reports nothing more.
  case watchFailed = "watch_failed"
  /// The instance was restored, so the addresses of feeds and the secrets of webhooks are new.
  case watchesRenewed = "watches_renewed"

  /// To the admin of a scheduled import: it changed devices, it needs a check, it failed, or it was switched off.
  case importDone = "import_done"
  case importHeld = "import_held"
  case importFailed = "import_failed"
  case importEnded = "import_ended"

  /// The decision of a moderator on a proposed list, or its undoing.
  case listDecided = "list_decided"

  /// To a volunteer: a device needs a visit. A planned visit begins soon.
  case visitOffer = "visit_offer"
  case visitReminder = "visit_reminder"
  /// To the person who asked: a volunteer was there. To both sides: the request ended without a visit.
  case visitDone = "visit_done"
  case visitEnded = "visit_ended"

  /// To the organiser of a mapping day: the decision of a moderator.
  case mappingDayDecided = "mapping_day_decided"
  /// To a person on the waiting list of a mapping day: they have a place now.
  case mappingDayPromoted = "mapping_day_promoted"
  /// To participants of a mapping day: words of its organiser, its cancellation, and thanks.
  case mappingDayMessage = "mapping_day_message"
  case mappingDayCancelled = "mapping_day_cancelled"
  case mappingDayThanks = "mapping_day_thanks"

  /// Why the recipient gets the mail, as explained in its footer.
  enum Occasion: String, CaseIterable, Sendable {
    /// It is about the recipient's account.
    case account
    /// The address was entered, perhaps by another person, in an account form.
    case claim
    /// The address was entered in a report.
    case report
    /// The recipient is a registered organisation.
    case organisation
    /// The recipient watches an area.
    case watch
    /// The recipient's account was just deleted.
    case former
  }

  var occasion: Occasion {
    switch self {
    case .confirm, .changeEmail, .operatorCheck, .operatorContact: .claim
    case .operatorRequest, .operatorContested: .organisation
    case .watchNews, .watchQueue, .watchTest, .watchEnding, .watchWebhookEnded, .watchFailed: .watch
    case .reportReceived, .reportAnswered: .report
    case .accountDeleted: .former
    default: .account
    }
  }

  /// The placeholders that the caller must fill; `instance` is always filled.
  ///
  /// Mails to an unconfirmed address contain no text that a user can choose, not even a username: it
  /// could be used for advertising. (``MailSender`` also omits the username if the account is not
  /// confirmed.)
  var arguments: Set<String> {
    switch self {
    case .confirm, .changeEmail, .accountDeleted, .reportReceived, .operatorCheck,
      .operatorContact:
      []
    case .reportAnswered: ["outcome"]
    case .moderationDecided: ["username", "decision", "device", "reason"]
    case .warned, .unsuspended: ["username", "reason"]
    case .suspended: ["username", "reason", "until"]
    case .roleChanged: ["username", "role", "reason"]
    case .tokenMade: ["username", "token", "scopes", "day"]
    case .flagAnswered: ["username", "outcome"]
    case .choiceBefore, .choiceOn, .choiceAfter: ["username", "device", "day"]
    case .dataRequestAsked, .dataRequestGiven, .dataRequestAccepted, .dataRequestRefused,
      .dataRequestLapsed, .dataRequestRevoked, .dataRequestEnded, .dataRequestWithdrawn:
      ["username", "other"]
    case .choiceAnswered: ["username", "device", "organisation", "outcome"]
    case .operatorApproved, .operatorRefused, .operatorWithdrawn:
      ["username", "organisation", "reason"]
    case .operatorClaimApproved, .operatorClaimRefused:
      ["username", "organisation", "device", "reason"]
    case .operatorRequest: ["device", "organisation", "letter", "day"]
    case .operatorContested: ["device", "organisation", "day", "reason"]
    case .researchAsked: ["username", "other", "project"]
    case .researchGranted: ["username", "project", "reason", "day"]
    case .researchRefused, .researchRevoked: ["username", "project", "reason"]
    case .importDone: ["username", "schedule", "list"]
    case .listDecided: ["username", "file", "decision", "reason"]
    case .importHeld: ["username", "schedule", "problem", "list"]
    case .importFailed, .importEnded: ["username", "schedule", "problem"]
    case .watchNews, .watchQueue: ["username", "label", "list"]
    case .watchesRenewed: ["username", "list"]
    case .watchTest, .watchWebhookEnded, .watchFailed: ["username", "label"]
    case .watchEnding: ["username", "label", "day"]
    case .visitOffer: ["username", "device", "reason", "street", "minutes"]
    case .visitReminder: ["username", "device"]
    case .visitDone: ["username", "device", "outcome"]
    case .visitEnded: ["username", "device", "reason"]
    case .mappingDayDecided: ["username", "event", "decision", "reason"]
    case .mappingDayPromoted: ["username", "event"]
    case .mappingDayMessage: ["username", "event", "sender", "text"]
    case .mappingDayCancelled: ["username", "event", "reason"]
    case .mappingDayThanks: ["username", "event", "added", "confirmed", "photographed"]
    default: ["username"]
    }
  }

  /// Whether a mail has a link.
  enum Link: Sendable {
    case none
    /// Present if there is a page to link to.
    case optional
    /// The mail is useless without it.
    case needed
  }

  var link: Link {
    switch self {
    case .confirm, .changeEmail, .alreadyRegistered, .reset, .tokenMade, .choiceBefore, .choiceOn,
      .choiceAfter, .dataRequestAsked, .dataRequestGiven, .dataRequestAccepted,
      .dataRequestRefused, .dataRequestLapsed, .dataRequestRevoked, .dataRequestEnded,
      .dataRequestWithdrawn, .choiceAnswered, .operatorCheck, .operatorContact, .operatorApproved,
      .operatorRefused,
      .operatorWithdrawn, .operatorClaimApproved, .operatorClaimRefused, .operatorRequest,
      .operatorContested,
      .researchAsked, .researchGranted,
      .researchRefused, .researchRevoked, .watchNews, .watchQueue, .watchTest, .watchEnding,
      .watchWebhookEnded, .watchFailed, .watchesRenewed, .importDone, .importHeld, .importFailed,
      .importEnded,
      .listDecided, .visitOffer, .visitReminder, .visitDone, .visitEnded,
      .mappingDayDecided, .mappingDayPromoted, .mappingDayMessage, .mappingDayCancelled,
      .mappingDayThanks:
      .needed
    case .moderationDecided, .flagAnswered, .reportReceived, .reportAnswered: .optional
    default: .none
    }
  }
}
