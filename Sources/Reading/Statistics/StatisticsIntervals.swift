import PrivacyMap
import Service

/// The consecutive intervals of a question, without gaps.
struct StatisticsIntervals {
  let interval: CalendarInterval?
  /// The first day of each.
  let starts: [Day]
  /// The day after the last.
  let end: Day

  /// - Parameters:
  ///   - span: the requested time span.
  ///   - first: the day on which the first of the devices was added; nil if there are no devices.
  /// - Throws: ``InvalidInput`` if there would be too many intervals.
  init(_ span: StatisticsQuestion.Span, first: Day?) throws(InvalidInput) {
    interval = span.interval
    guard let interval = span.interval else {
      starts = [span.from ?? min(first ?? span.to, span.to)]
      end = CalendarInterval.day.start(1, after: span.to)
      return
    }
    let last = interval.start(of: span.to)
    end = interval.start(1, after: last)
    let usual = interval.start(1 - StatisticsQuestion.usualIntervals, after: last)
    var start = interval.start(of: span.from ?? max(usual, min(first ?? last, last)))
    var starts: [Day] = []
    while start <= last {
      guard starts.count < StatisticsQuestion.maximumIntervals else {
        throw InvalidInput(
          "from",
          Message(
            "error.too_many_intervals", ["maximum": "\(StatisticsQuestion.maximumIntervals)"]))
      }
      starts.append(start)
      start = interval.start(1, after: start)
    }
    self.starts = starts
  }

  /// The index's number of a day: days since 2000-01-01. Earlier days sort before it.
  func number(_ day: Day) -> Int { Int(day.daysSinceEpoch) - 10_957 }

  /// The steps of one group as rows.
  func rows(_ keys: [String?], _ steps: PointSteps) -> [StatisticsFigures.Step] {
    let standing = steps.standing
    return starts.indices.map { place in
      let next = place + 1 < starts.count ? starts[place + 1] : end
      return StatisticsFigures.Step(
        keys: keys, start: starts[place], end: Day(daysSinceEpoch: next.daysSinceEpoch - 1),
        added: steps.added[place], confirmed: steps.confirmed[place],
        removed: steps.ended[place], standing: standing[place])
    }
  }
}
