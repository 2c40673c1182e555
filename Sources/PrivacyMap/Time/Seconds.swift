/// Periods as numbers of seconds, as timestamps and rows have them.
package enum Seconds {
  package static let day: Int64 = 86_400

  package static func days(_ count: Int64) -> Int64 { count * day }
}

extension Duration {
  package static func days(_ count: Int64) -> Duration { .seconds(Seconds.days(count)) }
}
