import Glibc
import Locking
import PostgreSQL
import Testing

/// A pool has a bounded number of connections, and callers get them in order of arrival.
@Suite struct ConnectionPoolTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private static func process(_ connection: ServerConnection) throws -> Int64? {
    try connection.first("SELECT pg_backend_pid()") { $0.int(0) }
  }

  @Test func `a connection is used again`() throws {
    let pool = scratch.pool(size: 3)
    #expect(pool.use == (0, 3))
    let processes = try (0..<5).map { _ in try pool.transaction(.read, Self.process) }
    #expect(Set(processes).count == 1)
    #expect(pool.use == (0, 3))
  }

  @Test func `a caller that finds all connections in use for too long is refused`() throws {
    let pool = scratch.pool(size: 1, timeout: .milliseconds(100))
    let refusal = try pool.transaction(.read) { connection in
      #expect(pool.use == (1, 1))
      return fault { _ = try pool.transaction(.read, Self.process) }
    }
    #expect(refusal?.kind == .busy)
    #expect(try pool.transaction(.read, Self.process) != nil)
  }

  @Test func `callers get their turn in order of arrival`() throws {
    let pool = scratch.pool(size: 1)
    let order = Monitor<[Int]>([])
    var callers: [Running<ServerFault?>] = []
    try pool.transaction(.read) { _ in
      for number in 0..<8 {
        let arrived = pool.waiting
        callers.append(
          Running {
            fault { try pool.transaction(.read) { _ in order.withLock { $0.append(number) } } }
          })
        guard eventually({ pool.waiting == arrived + 1 }) else { return }
      }
    }
    for caller in callers { #expect(caller.result == .some(nil)) }
    #expect(order.withLock { $0 } == Array(0..<8))
  }

  @Test func `many threads share few connections`() throws {
    let pool = scratch.pool(size: 3)
    let processes = Locked<Set<Int64>>([])
    let threads = (0..<12).map { _ in
      Running {
        fault {
          for _ in 0..<20 {
            let process = try pool.transaction(.read, Self.process) ?? 0
            processes.withLock { _ = $0.insert(process) }
          }
        }
      }
    }
    for thread in threads { #expect(thread.result == .some(nil)) }
    #expect(1...3 ~= processes.withLock { $0.count })
    #expect(pool.use == (0, 3))
  }

  @Test func `a connection that the server has ended is replaced`() throws {
    let pool = scratch.pool(size: 1)
    let before = try pool.transaction(.read, Self.process)
    #expect(try scratch.terminateOthers() == 1)
    let after = try pool.transaction(.read, Self.process)
    #expect(before != after)
    #expect(pool.use == (0, 1))
  }

  @Test func `a connection that is lost in a transaction leaves its place`() throws {
    let pool = scratch.pool(size: 1)
    for _ in 0..<3 {
      let refusal = fault {
        try pool.transaction(.write()) { connection in
          _ = try scratch.terminateOthers()
          _ = try Self.process(connection)
        }
      }
      #expect(refusal?.kind == .connectionLost)
    }
    #expect(try pool.transaction(.read, Self.process) != nil)
  }

  @Test func `a server that cannot be reached leaves no place taken`() throws {
    let address = try ServerAddress(url: "postgresql:///farol?host=/nowhere")
    let pool = ConnectionPool(address, size: 1, timeout: .milliseconds(100))
    for _ in 0..<3 {
      #expect(fault { _ = try pool.transaction(.read, Self.process) }?.kind == .unreachable)
    }
    #expect(pool.use == (0, 1))
  }

  @Test func `a closed pool refuses callers, also those that wait`() throws {
    let pool = scratch.pool(size: 1)
    var waiting: Running<ServerFault?>?
    try pool.transaction(.read) { _ in
      waiting = Running { fault { _ = try pool.transaction(.read, Self.process) } }
      guard eventually({ pool.waiting == 1 }) else { return }
      pool.close()
    }
    #expect(waiting?.result??.kind == .closed)
    #expect(fault { _ = try pool.transaction(.read, Self.process) }?.kind == .closed)
    #expect(pool.use == (0, 1))
  }
}
