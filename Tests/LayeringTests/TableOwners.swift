/// The tables of the database and their owners. The owner is the target that writes a table; other targets should read and
/// change it through the owner's interface.
enum TableOwners {
  /// The tables of each target.
  static let tables: [String: [String]] = [
    "Service": [
      "audit", "counted_event", "job", "lease", "mail", "mail_failure", "mail_refusal",
      "setting",
    ],
    "Reference": [
      "category", "term", "translation",
    ],
    "Accounts": [
      "account", "account_number", "known_network", "mail_token", "people_group",
      "people_group_member", "personal_token", "profile_count", "publication",
      "recovery_code", "research_access", "session",
    ],
    "Devices": [
      "change", "country_fill", "device", "device_box", "device_choice", "device_key",
      "device_listing", "device_location", "device_text", "idempotency", "operator",
      "operator_alias", "review", "revision", "revision_location", "source", "tombstone",
      "tombstone_content", "verdict",
    ],
    "DevicePhotos": [
      "media_file", "photo", "photo_version",
    ],
    "Pictures": [
      "media_content"
    ],
    "Moderation": [
      "flag", "moderation_action", "moderation_revision",
    ],
    "Reading": [
      "snapshot", "snapshot_file", "stored_file", "stored_part", "tiles_file",
    ],
    "Rights": [
      "choice", "choice_event", "choice_reminder", "data_request", "data_request_look",
      "operator_statement", "organisation", "organisation_claim", "outcome",
      "outcome_member", "request",
    ],
    "Operators": ["common_request", "common_request_member", "operator_ruling"],
    "Lists": [
      "collection", "collection_feature", "collection_feature_box", "device_tag",
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

  /// Tables that another target writes as well, and why. The aim is none: the owner should offer a method.
  static let otherWriters: [String: [(tables: [String], why: String)]] = [
    "Devices": [
      (["flag"], "a removed device takes its flags along"),
      (
        ["media_file", "photo", "photo_version"], "photos are deleted and merged with their device"
      ),
    ],
    "Moderation": [
      (
        ["photo", "review", "verdict"],
        "a merge moves them, and an undo moves them back"
      )
    ],
    "Operations": [
      (
        [
          "account_number", "collection", "collection_feature_box", "device", "device_box",
          "device_listing",
        ], "derived data are built again after damage"
      )
    ],
    "SpatialDatabase": [(["setting"], "the sequence of a server that others may have overtaken")],
  ]

  /// The maximum number of tables that are read or written by another target than their owner. The aim is ten.
  static let maxShared = 32
}
