/// A choice that a device offers to the people it observes.
package struct OfferedChoice: Equatable, Sendable {
  package enum Channel: String, CaseIterable, Sendable {
    case url, email, post
    case onDevice = "on_device"
    case inPerson = "in_person"
  }

  /// A code of the scheme `choices`.
  package var kind: String
  package var channel: Channel?
  package var target: String?
  package var instructions: String?
  package var deadlineDays: Int?
  package var checkedOn: Day?

  package init(kind: String) { self.kind = kind }
}
