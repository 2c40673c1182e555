package import Devices
internal import Locking
package import PrivacyMap
import Service
import SpatialDatabase

/// Computes the answer to a question, independent of language and HTTP.
package struct StatisticsStore: Sendable {
  package let devices: DeviceStore
  package let countries: CountrySizes
  private let withheld: @Sendable () throws -> Set<UInt32>

  /// `withheld` returns the rows of `operator` that answers do not name.
  package init(
    devices: DeviceStore, countries: CountrySizes,
    withheld: @escaping @Sendable () throws -> Set<UInt32>
  ) {
    self.devices = devices
    self.countries = countries
    self.withheld = withheld
  }

  /// The complete answer to a question, except for its explanation.
  ///
  /// - Throws: ``InvalidInput`` for too many intervals or cells, and database errors.
  package func answer(_ question: StatisticsQuestion, today: Day) throws -> StatisticsAnswer {
    let withheld = question.properties.contains(.operator) ? try withheld() : []
    return try devices.database.read { connection in
      let selection = try DeviceSelection(question.filter, store: devices, connection)
      // Taken after the database query, so that the snapshot contains every row found.
      let index = devices.index.snapshot
      let intervals = try question.span.map { span in
        let first = span.from == nil ? index.firstAddedDay(matching: selection.ofAllTimes) : nil
        return try StatisticsIntervals(span, first: first.map(IndexNumber.day))
      }
      let counter = StatisticsCounter(
        index: index, vocabulary: devices.vocabulary, countries: countries, today: today,
        question: question, withheld: withheld, intervals: intervals)
      let own = [question.filter[PlaceCondition.self]?.area].compactMap(\.self)
      var answer = StatisticsAnswer(
        question: question, intervals: intervals, at: devices.environment.now(),
        whole: try counter.figures(selection, in: own, connection))
      for area in question.areas {
        let figures = try counter.figures(
          selection.narrowed(to: area), in: own + [area.place], connection)
        answer.areas.append((area, figures))
      }
      if let zoom = question.gridZoom {
        answer.grid = try Self.grid(zoom, index, selection.listed)
      }
      return answer
    }
  }

  private static func grid(
    _ zoom: Int, _ index: PointIndex, _ filter: PointFilter
  ) throws -> PointGrid {
    let fitting = PointIndex.gridZooms.last { zoom in
      PointIndex.gridCellCount(zoom: zoom, boxes: filter.boxes) <= StatisticsQuestion.maximumCells
    }
    guard zoom <= fitting ?? 0 else {
      throw InvalidInput("grid", Message("error.grid_too_fine", ["maximum": "\(fitting ?? 0)"]))
    }
    return index.grid(zoom: zoom, precisions: Precision.allCases, matching: filter)
  }
}

/// The areas of countries, each computed on first use.
package final class CountrySizes: Sendable {
  private let map: CountryMap?
  private let known = Locked<[UInt16: Double?]>([:])

  /// - Parameter map: nil if set-up has not made one; all sizes are unknown then.
  package init(_ map: CountryMap?) {
    self.map = map
  }

  /// The land area of a country in square kilometres; nil if unknown.
  func squareKilometres(of country: UInt16) -> Double? {
    if let size = known.withLock({ $0[country] }) { return size }
    let size = IndexedPoint.countryCode(country).flatMap { map?.landArea(of: $0) }
    known.withLock { $0[country] = .some(size) }
    return size
  }
}

extension DeviceSelection {
  /// The devices of the selection within one compared area.
  fileprivate func narrowed(to area: StatisticsQuestion.Area) -> DeviceSelection {
    DeviceSelection(
      listed: listed.narrowed(to: area.place), ofAllTimes: ofAllTimes.narrowed(to: area.place))
  }
}
