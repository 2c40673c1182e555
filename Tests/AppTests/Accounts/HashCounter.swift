@testable import Accounts
import JSON
import Locking
import Secrets
@testable import Service
import Testing
import WebServer

/// Counts the password hashes of an operation: equal counts mean equal time by design.
final class HashCounter: Sendable {
  struct Count: Equatable {
    var made = 0
    var compared = 0
  }

  private let count = Locked(Count())

  /// The count since the last reading.
  func take() -> Count {
    count.withLock { count in
      defer { count = Count() }
      return count
    }
  }

  func counting(_ accounts: Accounts) -> Accounts {
    var accounts = accounts
    accounts.hashing = PasswordHashing(
      hash: { [self] in
        count.withLock { $0.made += 1 }
        return try PasswordHash.hash($0)
      },
      verify: { [self] in
        count.withLock { $0.compared += 1 }
        return PasswordHash.verify($0, against: $1)
      })
    return accounts
  }

  /// Executes an operation of a queue on this thread.
  func call(
    _ endpoints: [Endpoint], _ id: String, _ json: JSONValue, from address: String? = nil
  ) throws -> Response {
    let endpoint = try #require(endpoints.first { $0.id == id })
    var writer = JSONWriter()
    writer.value(json)
    let request = Request(
      endpoint.method, endpoint.path, headers: ["Content-Type": "application/json"],
      body: writer.bytes, clientAddress: address.flatMap { ClientAddress($0) } ?? .unknown)
    switch endpoint.handler {
    case .password(let handler), .slow(let handler): return try handler(request, .nobody)
    default: throw OtherHandler()
    }
  }

  struct OtherHandler: Error {}
}
