/// When a period that the law sets ends (docs/rights.md, “Counting days”).
///
/// It ends on the date of the month that has the number of the day of receipt, or on the month's last
/// day where there is none (Regulation 1182/71, Article 3(2)(c)); an end on a Saturday, a Sunday or a
/// holiday moves to the next working day (Article 3(4)).
package struct DeadlineRule: Sendable {
  /// Public holidays of the country, those on weekends left out or not.
  package let holidays: Set<Day>

  package init(holidays: Set<Day> = []) {
    self.holidays = holidays
  }

  /// The last day of a period that began with what was received on `received`; the next is late.
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

/// How something reached whom it was sent to.
package enum RequestChannel: String, CaseIterable, Sendable {
  case email
  /// A form on a web page.
  case url
  case post
  /// Through Farol to a registered operator.
  case farol
  /// Through the reply link of a letter: how an operator without an account answers.
  case link

  /// Those that a request goes by.
  package static let ofRequests: [RequestChannel] = [.email, .url, .post, .farol]

  /// Days from sending to receipt, until somebody says otherwise; post: our assumption, generous so
  /// that nobody is called late too early (docs/rights.md).
  package var assumedDaysToReceipt: Int { self == .post ? 5 : 0 }
}

extension Day {
  /// The day `count` days later, or earlier.
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
