/// Computes the last day of a legal time limit (docs/reference/rights.md, “Counting days”).
///
/// A period of months ends on the day of the month that matches the day of receipt. If that month has no such day, it
/// ends on the last day of the month (Regulation 1182/71, Article 3(2)(c)). An end on a Saturday, a Sunday or a
/// holiday moves to the next working day (Article 3(4)).
package struct DeadlineRule: Sendable {
  /// Public holidays of the country. Holidays that fall on a weekend may be omitted.
  package let holidays: Set<Day>

  package init(holidays: Set<Day> = []) {
    self.holidays = holidays
  }

  /// The last day of a period that started with a receipt on `received`. Any later day is overdue.
  package func end(of period: Period, from received: Day) -> Day {
    switch period {
    case .months(let count): workingDay(from: received.adding(months: count))
    case .days(let count): workingDay(from: received.adding(days: count))
    }
  }

  /// `day`, or the first working day after it.
  package func workingDay(from day: Day) -> Day {
    var day = day
    while day.isWeekend || holidays.contains(day) { day = day.adding(days: 1) }
    return day
  }
}

/// The channel through which a message reached its recipient.
package enum RequestChannel: String, CaseIterable, Sendable {
  case email
  /// A form on a web page.
  case url
  case post
  /// Through Farol to a registered operator.
  case farol
  /// Through the reply link in a letter. An operator without an account answers this way.
  case link

  /// The channels through which a request can be sent.
  package static let ofRequests: [RequestChannel] = [.email, .url, .post, .farol]

  /// Assumed days from sending to receipt, until an entry states the day of receipt. The value for
  /// post is our own assumption, chosen generously so that no operator is reported overdue too
  /// early (docs/reference/rights.md).
  package var assumedDaysToReceipt: Int { self == .post ? 5 : 0 }
}

extension Day {
  /// The day `count` days later, or earlier if `count` is negative.
  package func adding(days count: Int) -> Day {
    Day(daysSinceEpoch: Int32(clamping: Int(daysSinceEpoch) + count))
  }

  /// Whether it is a Saturday or a Sunday.
  package var isWeekend: Bool {
    // 1970-01-01 was a Thursday: two days later a Saturday.
    let sinceSaturday = (Int(daysSinceEpoch) - 2) % 7
    return sinceSaturday == 0 || sinceSaturday == 1 || sinceSaturday == -6
  }
}
