/// The part of a filter that the profile of a device decides.
///
/// Separate from ``PointFilter``, because a query judges thousands of profiles, and each call of a method of that large
/// type copies it.
struct ProfileFilter {
  private let categories, statuses, settings, operatorKinds: CodeSet
  private let data, choices: UInt32?

  init(_ filter: PointFilter) {
    categories = filter.categories ?? .all
    statuses = filter.statuses ?? .all
    settings = filter.settings ?? .all
    operatorKinds = filter.operatorKinds ?? .all
    data = filter.dataAny
    choices = filter.choicesAny
  }

  /// Whether devices of this profile match, judged by the profile alone.
  func accepts(_ profile: DeviceProfile) -> Bool {
    guard categories.contains(profile.category), statuses.contains(profile.status),
      settings.contains(profile.setting), operatorKinds.contains(profile.operatorKind)
    else { return false }
    if let data, data & profile.data == 0 { return false }
    if let choices, choices & profile.choices == 0 { return false }
    return true
  }
}
