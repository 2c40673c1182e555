internal import Foundation
internal import Locking
package import Metrics

/// A queue with metrics.
package protocol MeasuredQueue: Sendable {
  /// The number of waiting and running jobs.
  var length: Int { get }
  /// Time that jobs waited in the queue.
  var wait: Histogram { get }
  /// Jobs refused because the queue was full.
  var refused: Counter { get }
  /// Jobs refused because their network had enough waiting jobs or had used up its budget.
  var limited: Counter { get }
}

/// Threads for work that is too slow for the threads that serve sockets. Networks take turns, so that the work of one
/// network does not delay the work of others.
///
/// The next job is one of the network that has used the threads least, so a network with few requests does not wait for
/// networks with many, however many these are. Each network may have a few waiting jobs, and a budget of seconds. The
/// queue has a total length; when it is reached, the network with the most waiting jobs loses its last one.
package final class TurnQueue<Key: Hashable & Sendable>: MeasuredQueue {
  package struct Limits: Sendable {
    /// The number of concurrent jobs.
    package var width = 1
    /// Jobs of one network that may wait.
    package var waiting = 32
    /// Jobs of all networks that may wait.
    package var capacity = 256
    /// The maximum time that a job may wait; nil for no limit.
    package var timeout: Duration? = .seconds(15)
    /// The maximum time that the jobs of one network may run within a minute. Nil for no limit.
    package var budget: Duration?
    /// The nice value of the threads.
    package var nice: Int32 = 0

    package init() {}
  }

  /// The reason why a job does not run.
  package enum Refused: Error, Equatable {
    /// The network has enough waiting jobs, or has used up its budget. It can try again after this number of seconds.
    case network(seconds: Int64)
    /// The queue is full, or the job has waited too long.
    case full
    /// The client no longer waits.
    case abandoned
    case stopped
  }

  /// A piece of work.
  private struct Job: Sendable {
    let addedAt: ContinuousClock.Instant
    let isWanted: @Sendable () -> Bool
    let run: @Sendable () -> Void
    let refuse: @Sendable (Refused) -> Void
  }

  /// The jobs of a network.
  private struct Turn {
    var waiting: [Job] = []
    var running = 0
    /// Seconds used; a minute's budget is forgotten in a minute.
    var used = 0.0
    var usedAt: ContinuousClock.Instant
    /// When its first job came, for the order of networks that have used equally much.
    var arrival: UInt64
  }

  private struct State {
    var turns: [Key: Turn] = [:]
    var waiting = 0
    var running = 0
    var threads = 0
    var arrivals: UInt64 = 0
    var isStopped = false
  }

  private let state = Monitor(State())
  private let limits: Limits
  private let name: String
  /// Seconds that a network is forgiven in each second. Networks that keep a thread busy come after all others.
  private let forgiveness: Double
  private let budget: Double?
  /// Time that jobs waited in the queue, including jobs that waited too long.
  package let wait = Histogram.ofDurations()
  /// Also counts jobs that waited too long.
  package let refused = Counter()
  package let limited = Counter()
  /// Jobs that were dropped because their clients no longer waited.
  package let abandoned = Counter()

  /// `name` is the name of the threads, which exist only while there are jobs.
  package init(_ name: String, _ limits: Limits) {
    (self.name, self.limits) = (name, limits)
    budget = limits.budget.map { $0 / .seconds(1) }
    forgiveness = (budget ?? 20) / 60
  }

  /// Adds a job.
  ///
  /// - Parameters:
  ///   - key: the network.
  ///   - isWanted: whether the client still waits; asked on the thread of the job.
  ///   - run: the job.
  ///   - refuse: called instead of `run`, on any thread, perhaps before this method returns.
  package func add(
    for key: Key, isWanted: @escaping @Sendable () -> Bool = { true },
    _ run: @escaping @Sendable () -> Void, refuse: @escaping @Sendable (Refused) -> Void
  ) {
    let now = ContinuousClock.now
    let job = Job(addedAt: now, isWanted: isWanted, run: run, refuse: refuse)
    let refusals = state.withLock { state -> [(Job, Refused)] in
      if state.isStopped { return [(job, .stopped)] }
      var refusals = expire(&state, now)
      if let refusal = objection(key, state, now) { return refusals + [(job, refusal)] }
      if state.waiting >= limits.capacity {
        guard let last = makeRoom(for: key, &state) else { return refusals + [(job, .full)] }
        refusals.append((last, .full))
      }
      append(job, key, &state, now)
      return refusals
    }
    for (job, refusal) in refusals { self.refuse(job, refusal) }
  }

  private func append(_ job: Job, _ key: Key, _ state: inout State, _ now: ContinuousClock.Instant)
  {
    state.arrivals += 1
    var turn = state.turns[key] ?? Turn(usedAt: now, arrival: state.arrivals)
    if turn.waiting.isEmpty { turn.arrival = state.arrivals }
    turn.waiting.append(job)
    state.turns[key] = turn
    state.waiting += 1
    guard state.threads < min(limits.width, state.waiting + state.running) else { return }
    state.threads += 1
    NamedThread.start(name) { [self] in work() }
  }

  /// The reason for refusing another job of a network.
  private func objection(
    _ key: Key, _ state: State, _ now: ContinuousClock.Instant
  ) -> Refused? {
    guard let turn = state.turns[key] else { return nil }
    if let seconds = secondsUntilForgiven(turn, now) { return .network(seconds: seconds) }
    return turn.waiting.count >= limits.waiting ? .network(seconds: 5) : nil
  }

  /// Nil if the network is within its budget.
  private func secondsUntilForgiven(_ turn: Turn, _ now: ContinuousClock.Instant) -> Int64? {
    let used = used(by: turn, now)
    guard let budget, used >= budget else { return nil }
    return Int64(((used - budget) / forgiveness).rounded(.up)) + 1
  }

  /// Removes the last job of the network with the most waiting jobs, unless that is the network of the new job.
  private func makeRoom(for key: Key, _ state: inout State) -> Job? {
    guard let longest = state.turns.max(by: { $0.value.waiting.count < $1.value.waiting.count }),
      longest.value.waiting.count > (state.turns[key]?.waiting.count ?? 0) + 1
    else { return nil }
    state.waiting -= 1
    return state.turns[longest.key]?.waiting.removeLast()
  }

  /// Removes jobs that have waited too long, and jobs of networks that have used up their budgets.
  private func expire(
    _ state: inout State, _ now: ContinuousClock.Instant
  ) -> [(Job, Refused)] {
    var expired: [(Job, Refused)] = []
    for (key, turn) in state.turns where !turn.waiting.isEmpty {
      if let seconds = secondsUntilForgiven(turn, now) {
        state.turns[key]?.waiting = []
        state.waiting -= turn.waiting.count
        expired += turn.waiting.map { ($0, .network(seconds: seconds)) }
        continue
      }
      guard let timeout = limits.timeout else { continue }
      let late = turn.waiting.prefix { now - $0.addedAt > timeout }
      if !late.isEmpty {
        state.turns[key]?.waiting.removeFirst(late.count)
        state.waiting -= late.count
        for job in late { wait.observe(now - job.addedAt) }
        expired += late.map { ($0, .full) }
      }
    }
    return expired
  }

  private func refuse(_ job: Job, _ refusal: Refused) {
    switch refusal {
    case .network: limited.add()
    case .full: refused.add()
    case .abandoned: abandoned.add()
    case .stopped: break
    }
    job.refuse(refusal)
  }

  /// The seconds that a network has used and that are not forgiven.
  private func used(by turn: Turn, _ now: ContinuousClock.Instant) -> Double {
    max(0, turn.used - (now - turn.usedAt) / .seconds(1) * forgiveness)
  }

  /// The time that a thread waits for further jobs before it ends.
  private static var idleTime: Duration { .seconds(1) }

  /// The work of a thread.
  private func work() {
    if limits.nice > 0 { ThreadPriority.lower(to: limits.nice) }
    while let (key, job) = next() {
      let begun = ContinuousClock.now
      if job.isWanted() {
        wait.observe(begun - job.addedAt)
        job.run()
      } else {
        refuse(job, .abandoned)
      }
      finish(key, ContinuousClock.now - begun)
    }
  }

  /// The next job. Nil after a while without a job.
  private func next() -> (Key, Job)? {
    let (taken, expired) = state.wait(
      until: { $0.isStopped || mayRun($0) }, orUntil: .now + Self.idleTime
    ) { state -> ((Key, Job)?, [(Job, Refused)]) in
      let now = ContinuousClock.now
      let expired = expire(&state, now)
      guard !state.isStopped, let key = nextKey(state, now), var turn = state.turns[key] else {
        state.threads -= 1
        return (nil, expired)
      }
      let job = turn.waiting.removeFirst()
      turn.running += 1
      state.turns[key] = turn
      state.waiting -= 1
      state.running += 1
      return ((key, job), expired)
    }
    for (job, refusal) in expired { refuse(job, refusal) }
    return taken
  }

  private func mayRun(_ state: borrowing State) -> Bool {
    state.waiting > 0 && state.turns.values.contains { isReady($0) }
  }

  /// One network never occupies all threads.
  private func isReady(_ turn: Turn) -> Bool {
    !turn.waiting.isEmpty && turn.running < max(1, limits.width - 1)
  }

  private func nextKey(_ state: State, _ now: ContinuousClock.Instant) -> Key? {
    var best: (key: Key, used: Double, arrival: UInt64)?
    for (key, turn) in state.turns where isReady(turn) {
      let used = used(by: turn, now)
      if let known = best, (known.used, known.arrival) < (used, turn.arrival) { continue }
      best = (key, used, turn.arrival)
    }
    return best?.key
  }

  private func finish(_ key: Key, _ time: Duration) {
    state.withLock { state in
      state.running -= 1
      guard var turn = state.turns[key] else { return }
      let now = ContinuousClock.now
      turn.running -= 1
      turn.used = used(by: turn, now) + time / .seconds(1)
      turn.usedAt = now
      // Networks that take turns are served in the order of their last jobs.
      state.arrivals += 1
      turn.arrival = state.arrivals
      state.turns[key] = turn
      forget(&state, now)
    }
  }

  /// The number of networks above which networks that have used nothing are forgotten.
  private static var knownNetworks: Int { 1_000 }

  private func forget(_ state: inout State, _ now: ContinuousClock.Instant) {
    guard state.turns.count > Self.knownNetworks else { return }
    state.turns = state.turns.filter { _, turn in
      !turn.waiting.isEmpty || turn.running > 0 || used(by: turn, now) > 0
    }
  }

  /// The number of waiting and running jobs.
  package var length: Int { state.withLock { $0.waiting + $0.running } }

  /// Refuses the waiting jobs and waits for the running ones.
  package func stop() {
    let left = state.withLock { state in
      state.isStopped = true
      let left = state.turns.values.flatMap(\.waiting)
      state.turns = state.turns.filter { $0.value.running > 0 }.mapValues { turn in
        var turn = turn
        turn.waiting = []
        return turn
      }
      state.waiting = 0
      return left
    }
    for job in left { refuse(job, .stopped) }
    state.wait(until: { $0.running == 0 }) { _ in }
  }
}
