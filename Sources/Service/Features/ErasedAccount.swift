package import PrivacyMap

/// An account that is being deleted.
package struct ErasedAccount: Sendable {
  package let rowid: Int64
  /// The comparison key of its address, if the person has confirmed the address; otherwise nil, because
  /// the address may belong to another person.
  package let emailKey: String?
  package let now: Timestamp

  package init(rowid: Int64, emailKey: String?, now: Timestamp) {
    self.rowid = rowid
    self.emailKey = emailKey
    self.now = now
  }
}
