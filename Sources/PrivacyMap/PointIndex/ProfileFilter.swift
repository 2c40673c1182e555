/// The part of a filter that the profile of a device decides.
///
/// Separate from ``PointFilter``, because a query judges thousands of profiles, and each call of a method of that large
/// type copies it.
struct ProfileFilter {
  private let categories, statuses, settings, operatorKinds: CodeSet?
  private let data, choices: UInt32?

  init(_ filter: PointFilter) {
    categories = filter.categories
    statuses = filter.statuses
    settings = filter.settings
    operatorKinds = filter.operatorKinds
    data = filter.dataAny
    choices = filter.choicesAny
  }

  /// Whether devices of this profile match, judged by the profile alone.
  func accepts(_ profile: DeviceProfile) -> Bool {
    if let categories, !categories.contains(profile.category) { return false }
    if let statuses, !statuses.contains(profile.status) { return false }
    if let settings, !settings.contains(profile.setting) { return false }
    if let operatorKinds, !operatorKinds.contains(profile.operatorKind) { return false }
    if let data, data & profile.data == 0 { return false }
    if let choices, choices & profile.choices == 0 { return false }
    return true
  }
}
