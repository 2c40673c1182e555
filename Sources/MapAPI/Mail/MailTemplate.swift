/// The mails that Farol sends. Their words stand in the catalogue under `mail.<name>.subject`, `.text`
/// and, where there is a link, `.button`.
enum MailTemplate: String, CaseIterable, Sendable {
  /// The link that confirms the address an account was made with.
  case confirm
  /// The link that gives an account another address, sent to that one.
  case changeEmail = "change_email"
  /// To the owner of an address that somebody wanted to sign up with, or to take.
  case alreadyRegistered = "already_registered"
  /// The link that sets a new password.
  case reset
  /// To the address that an account had until now.
  case emailChanged = "email_changed"
  case passwordChanged = "password_changed"
  case secondFactorOn = "second_factor_on"
  case secondFactorOff = "second_factor_off"
  /// A token for a program was made that may act as a moderator or admin.
  case tokenMade = "token_made"
  case accountDeleted = "account_deleted"

  /// What was decided of something that the person made.
  case moderationDecided = "moderation_decided"
  case warned
  case suspended
  case unsuspended
  case roleChanged = "role_changed"
  /// What became of something that the person pointed at.
  case flagAnswered = "flag_answered"
  /// To somebody without an account: a report has come.
  case reportReceived = "report_received"
  /// To somebody without an account: what became of it.
  case reportAnswered = "report_answered"

  /// The time for an answer to a choice ends soon, today, or has ended.
  case choiceBefore = "choice_before"
  case choiceOn = "choice_on"
  case choiceAfter = "choice_after"
  /// Whoever was asked has answered.
  case choiceAnswered = "choice_answered"

  /// The link that shows that an organisation reads mail at its domain.
  case operatorCheck = "operator_check"
  /// The link by which the owner of a contact elsewhere agrees to be written to.
  case operatorContact = "operator_contact"
  /// What was decided of an organisation, and of the devices that it says are its own.
  case operatorApproved = "operator_approved"
  case operatorRefused = "operator_refused"
  case operatorWithdrawn = "operator_withdrawn"
  case operatorClaimApproved = "operator_claim_approved"
  case operatorClaimRefused = "operator_claim_refused"
  /// To an organisation: somebody asks for something.
  case operatorRequest = "operator_request"

  /// Requests for somebody's records: what each side is told.
  case dataRequestAsked = "data_request_asked"
  case dataRequestGiven = "data_request_given"
  case dataRequestAccepted = "data_request_accepted"
  case dataRequestRefused = "data_request_refused"
  case dataRequestLapsed = "data_request_lapsed"
  case dataRequestRevoked = "data_request_revoked"
  case dataRequestEnded = "data_request_ended"
  case dataRequestWithdrawn = "data_request_withdrawn"

  /// To admins: somebody asks to read as a researcher. To that person: what was decided.
  case researchAsked = "research_asked"
  case researchGranted = "research_granted"
  case researchRefused = "research_refused"
  case researchRevoked = "research_revoked"

  /// Why somebody gets such a mail, which its last lines say.
  enum Occasion: String, CaseIterable, Sendable {
    /// It is about the account of whoever reads.
    case account
    /// Somebody typed this address, perhaps not their own, into a form of accounts.
    case claim
    /// Somebody typed it into a report.
    case report
    /// It is for an organisation that is registered.
    case organisation
    /// There was an account until a moment ago.
    case former
  }

  var occasion: Occasion {
    switch self {
    case .confirm, .changeEmail, .operatorCheck, .operatorContact: .claim
    case .operatorRequest: .organisation
    case .reportReceived, .reportAnswered: .report
    case .accountDeleted: .former
    default: .account
    }
  }

  /// The gaps of its words that whoever adds a mail has to fill; `instance` is filled for all.
  ///
  /// Mails to an address that nobody has proven carry no words that anybody may choose, a username
  /// among them: they would carry advertisements. (``MailSender`` leaves the username out, too, where
  /// the account is not confirmed.)
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
    case .choiceAnswered: ["username", "device", "outcome"]
    case .operatorApproved, .operatorRefused, .operatorWithdrawn:
      ["username", "organisation", "reason"]
    case .operatorClaimApproved, .operatorClaimRefused:
      ["username", "organisation", "device", "reason"]
    case .operatorRequest: ["device", "letter", "day"]
    case .researchAsked: ["username", "other", "project"]
    case .researchGranted: ["username", "project", "reason", "day"]
    case .researchRefused, .researchRevoked: ["username", "project", "reason"]
    default: ["username"]
    }
  }

  /// What follows the words.
  enum Link: Sendable {
    case none
    /// Where there is somewhere to go.
    case optional
    /// The mail is of no use without it.
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
      .researchAsked, .researchGranted,
      .researchRefused, .researchRevoked:
      .needed
    case .moderationDecided, .flagAnswered, .reportReceived, .reportAnswered: .optional
    default: .none
    }
  }
}
