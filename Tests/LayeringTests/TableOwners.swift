/// The tables of the database and their owners. Only the owner writes a table; other targets read and change it through the
/// owner's interface.
enum TableOwners {
  /// The tables of each target.
  static let tables: [String: [String]] = [
    "Service": [
      "audit", "counted_event", "job", "lease", "mail", "mail_failure", "mail_refusal",
    ],
    "SpatialDatabase": ["setting"],
    "Reference": [
      "category", "source", "term", "translation",
    ],
    "Accounts": [
      "account", "account_number", "known_network", "mail_token", "people_group",
      "people_group_member", "personal_token", "profile_count", "publication",
      "recovery_code", "research_access", "session",
    ],
    "Devices": [
      "change", "country_fill", "device", "device_box", "device_choice", "device_key",
      "device_listing", "device_location", "device_tag", "device_text",
      "operator", "operator_alias", "review", "revision", "revision_location",
      "tombstone", "tombstone_content", "verdict",
    ],
    "Contributions": ["idempotency"],
    "Pictures": [
      "media_content", "media_file", "photo", "photo_version",
    ],
    "Moderation": [
      "flag", "moderation_action", "moderation_revision",
    ],
    "Downloads": ["snapshot", "snapshot_file", "stored_file", "stored_part", "tiles_file"],
    "Reading": [
      "collection", "collection_feature", "collection_feature_box",
    ],
    "Rights": [
      "choice", "choice_event", "choice_reminder", "data_request", "data_request_look",
      "operator_statement", "organisation", "organisation_claim", "outcome",
      "outcome_member", "request",
    ],
    "Operators": ["common_request", "common_request_member", "operator_ruling"],
    "Lists": [
      "import_change", "import_gone", "import_note", "import_run", "import_schedule",
      "proposal", "proposal_row",
    ],
    "MappingDays": [
      "mapping_day", "mapping_day_contribution", "mapping_day_mail", "mapping_day_participant",
    ],
    "Site": ["front_file"],
    "Visits": ["visit_figure", "visit_offer", "visit_request", "visit_volunteer"],
    "Watching": [
      "watch", "watch_change", "watch_change_key", "watch_note", "watch_progress",
      "watch_sent", "webhook_call",
    ],
  ]

  /// Tables that other targets read in statements of their own, and why. Only their owners write them.
  static let shared: [(table: String, why: String)] = [
    ("account", "lists show the usernames of their authors, one join each"),
    (
      "category",
      "the number and the period of a category are joined to devices, in triggers as well"
    ),
    ("change", "followers of the map read the sequence behind their own marks in one statement"),
    ("device", "lists of all rooms join the public devices that their rows are about"),
    ("operator", "its name is joined wherever a device is listed"),
    ("operator_statement", "one statement reads a device with its operator's statement"),
    (
      "organisation", "one statement reads a device with its organisation; accounts are named by it"
    ),
    ("organisation_claim", "one statement reads a device with its organisation"),
    ("photo", "one statement reads a device with its photos; moderators list them with authors"),
    ("revision", "histories, imports and exports join the changes to their own rows"),
  ]
}
