import Service

extension RequestQueue {
  /// Adds a job of each of several accounts.
  func fill(_ count: Int, _ run: @escaping @Sendable () -> Void) {
    for number in 1...count { add(for: .account(Int64(-number)), run) { _ in } }
  }
}
