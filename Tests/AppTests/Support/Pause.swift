import Foundation

/// Waiting for another thread or program.
enum Pause {
  /// A twentieth of a second.
  static func shortly() { Thread.sleep(forTimeInterval: 0.05) }
}
