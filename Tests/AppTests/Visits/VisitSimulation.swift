import Foundation
import PrivacyMap
import Testing
@testable import Visits

/// A month of requests against the real dispatch, in memory: `make simulate-visits` prints the figures of a large one.
struct VisitSimulation {
  var requests: Int
  var zones: Int
  var volunteersOfZone: Int
  /// The share of offers that are accepted.
  var acceptance: Double
  var days = 30
  var seed: UInt64 = 11

  struct Figures {
    /// In each zone, the most offers of a volunteer divided by the median.
    var fairness: [Double] = []
    var medianOffers: [Int] = []
    /// Seconds until a volunteer accepted.
    var waits: [Int] = []
    var offersUntilAccepted: [Int] = []
    var neverAccepted = 0
    var offersAtOnce = 0

    func share(_ part: Double, of numbers: [Int]) -> Int {
      numbers.isEmpty
        ? 0 : numbers.sorted()[min(numbers.count - 1, Int(part * Double(numbers.count)))]
    }
  }

  /// A volunteer: a place in the queue of a zone.
  fileprivate struct Volunteer {
    let zone: VisitCell
    var isBusy = false
    /// The times of the offers of the last day.
    var offered: [Int] = []
    var total = 0
  }

  fileprivate struct Request {
    let place: Coordinate
    let askedAt: Int
    var state = VisitState.waiting
    var asked: Set<Int> = []
  }

  /// Something that happens at a time.
  private enum Event {
    case look(Int)
    case answer(Int, by: Int)
    case back(Int, from: Int)
  }

  private struct Queues: VisitQueues {
    let volunteers: [Volunteer]
    let queues: [VisitCell: [Int]]
    let asked: Set<Int>
    let now: Int

    func zones(near cell: VisitCell) -> [VisitCell] { Array(queues.keys) }

    func queue(of zone: VisitCell) -> [VisitCandidate] {
      (queues[zone] ?? []).map { number in
        let volunteer = volunteers[number]
        // All are available from nine to nine.
        let morning = now / 86_400 * 86_400 + 9 * 3_600
        let start = now < morning + 12 * 3_600 ? morning : morning + 86_400
        return VisitCandidate(
          account: Int64(number), zone: zone, radius: 10, kinds: [],
          freeFrom: Timestamp(secondsSinceEpoch: Int64(start)),
          freeUntil: Timestamp(secondsSinceEpoch: Int64(start + 12 * 3_600)),
          offersLeft: 20 - volunteer.offered.count, isBusy: volunteer.isBusy,
          isExcluded: asked.contains(number))
      }
    }
  }

  func run() throws -> Figures {
    var random = SeededNumbers(seed: seed)
    var figures = Figures()
    var volunteers: [Volunteer] = []
    var queues: [VisitCell: [Int]] = [:]
    let side = Int(Double(zones).squareRoot().rounded(.up))
    for zone in 0..<zones {
      let cell = VisitCell(
        .clamped(
          longitude: 0.01 + 0.02 * Double(zone % side), latitude: 0.01 + 0.02 * Double(zone / side))
      )
      for _ in 0..<volunteersOfZone {
        queues[cell, default: []].append(volunteers.count)
        volunteers.append(Volunteer(zone: cell))
      }
    }
    var agenda: [Int: [Event]] = [:]
    var all: [Request] = []
    for number in 0..<requests {
      let width = 0.02 * Double(side)
      let place = Coordinate.clamped(
        longitude: Double.random(in: 0..<width, using: &random),
        latitude: Double.random(in: 0..<width, using: &random))
      let at = Int.random(in: 0..<days * 86_400, using: &random) / 60
      all.append(Request(place: place, askedAt: at * 60))
      agenda[at, default: []].append(.look(number))
    }
    var minute = 0
    // Two more months, so that every request can end.
    while minute < (days + 60) * 1_440 {
      defer { minute += 1 }
      guard let events = agenda.removeValue(forKey: minute) else { continue }
      let now = minute * 60
      func plan(_ event: Event, in minutes: Int) {
        agenda[minute + max(1, minutes), default: []].append(event)
      }
      for event in events {
        switch event {
        case .look(let number):
          guard [.waiting, .open].contains(all[number].state) else { continue }
          for index in volunteers.indices {
            volunteers[index].offered.removeAll { $0 <= now - 86_400 }
          }
          let world = Queues(
            volunteers: volunteers, queues: queues, asked: all[number].asked, now: now)
          switch try VisitDispatch.next(
            for: VisitCall(place: all[number].place, kind: "camera_fixed"), in: world,
            at: Timestamp(secondsSinceEpoch: Int64(now)))
          {
          case .volunteer(let candidate):
            let index = Int(candidate.account)
            guard let next = all[number].state.after(.offered), !volunteers[index].isBusy else {
              figures.offersAtOnce += 1
              continue
            }
            all[number].state = next
            all[number].asked.insert(index)
            volunteers[index].isBusy = true
            volunteers[index].offered.append(now)
            volunteers[index].total += 1
            // The end of the queue.
            queues[candidate.zone]?.removeAll { $0 == index }
            queues[candidate.zone]?.append(index)
            plan(.answer(number, by: index), in: Int.random(in: 1...30, using: &random))
          case .later(let time):
            plan(.look(number), in: time.map { (Int($0.secondsSinceEpoch) - now) / 60 } ?? 1)
          case .nobody:
            figures.neverAccepted += 1
            all[number].state = all[number].state.after(.opened) ?? all[number].state
          }
        case .answer(let number, let index):
          guard all[number].state == .offered else {
            figures.offersAtOnce += 1
            continue
          }
          if Double.random(in: 0..<1, using: &random) < acceptance {
            all[number].state = all[number].state.after(.accepted) ?? .closed
            figures.waits.append(now - all[number].askedAt)
            figures.offersUntilAccepted.append(all[number].asked.count)
            plan(.back(number, from: index), in: Int.random(in: 20...90, using: &random))
          } else {
            let event: VisitEvent = Bool.random(using: &random) ? .declined : .lapsed
            all[number].state = all[number].state.after(event) ?? .closed
            volunteers[index].isBusy = false
            plan(.look(number), in: 1)
          }
        case .back(let number, let index):
          all[number].state = all[number].state.after(.reported) ?? .closed
          volunteers[index].isBusy = false
        }
      }
    }
    for zone in queues.keys {
      let totals = volunteers.filter { $0.zone == zone }.map(\.total).sorted()
      let median = totals[totals.count / 2]
      figures.medianOffers.append(median)
      figures.fairness.append(Double(totals.last ?? 0) / Double(max(1, median)))
    }
    return figures
  }
}

@Suite struct VisitSimulationTests {
  @Test(arguments: [0.1, 0.5, 0.9])
  func `in a small month nobody of a zone gets more than twice the median`(acceptance: Double)
    throws
  {
    let figures = try VisitSimulation(
      requests: 1_000, zones: 9, volunteersOfZone: 12, acceptance: acceptance
    ).run()
    #expect(figures.offersAtOnce == 0)
    #expect(figures.fairness.allSatisfy { $0 <= 2 }, "\(figures.fairness)")
    #expect(figures.waits.count + figures.neverAccepted == 1_000)
    #expect(figures.waits.count > 990)
  }

  @Test(.enabled(if: ProcessInfo.processInfo.environment["FAROL_SIMULATE_VISITS"] != nil))
  func `a month of 10,000 requests and 1,000 volunteers`() throws {
    print(
      "acceptance  fairness  offers each  wait p50  wait p90  offers p50  p90  mean  not accepted")
    for acceptance in [0.1, 0.5, 0.9] {
      let figures = try VisitSimulation(
        requests: 10_000, zones: 40, volunteersOfZone: 25, acceptance: acceptance
      ).run()
      let offers = figures.offersUntilAccepted
      let mean = Double(offers.reduce(0, +)) / Double(max(1, offers.count))
      print(
        String(
          format: "%9.0f%%  %8.2f  %11d  %6d min  %6d min  %9d  %3d  %4.1f  %d",
          acceptance * 100, figures.fairness.max() ?? 0,
          figures.share(0.5, of: figures.medianOffers),
          figures.share(0.5, of: figures.waits) / 60, figures.share(0.9, of: figures.waits) / 60,
          figures.share(0.5, of: offers), figures.share(0.9, of: offers), mean,
          figures.neverAccepted))
      #expect(figures.offersAtOnce == 0)
      #expect(figures.fairness.allSatisfy { $0 <= 2 }, "\(figures.fairness)")
    }
  }
}
