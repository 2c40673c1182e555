import Secrets
import Testing

@Suite struct PasswordHashTests {
  @Test func `a hash uses argon2id with 19 MiB, two passes and one lane`() throws {
    let hash = try PasswordHash.hash("correct horse battery staple")
    #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
    #expect(hash.utf8.count < 128)
    #expect(!PasswordHash.needsRehash(hash))
  }

  @Test func `a password matches its hash and no other password does`() throws {
    let hash = try PasswordHash.hash("correct horse battery staple")
    #expect(PasswordHash.verify("correct horse battery staple", against: hash))
    #expect(!PasswordHash.verify("correct horse battery stapler", against: hash))
    #expect(!PasswordHash.verify("Correct horse battery staple", against: hash))
    #expect(!PasswordHash.verify("", against: hash))
  }

  @Test func `one password has a different hash each time`() throws {
    #expect(try PasswordHash.hash("the same twice") != PasswordHash.hash("the same twice"))
  }

  @Test func `the last of 1,024 characters is significant`() throws {
    let long = String(repeating: "a", count: 1_023)
    let hash = try PasswordHash.hash(long + "b")
    #expect(PasswordHash.verify(long + "b", against: hash))
    #expect(!PasswordHash.verify(long + "c", against: hash))
    #expect(!PasswordHash.verify(long, against: hash))
  }

  @Test func `characters after a zero byte are significant`() throws {
    let hash = try PasswordHash.hash("before\0after")
    #expect(!PasswordHash.verify("before\0other", against: hash))
    #expect(!PasswordHash.verify("before", against: hash))
  }

  @Test func `leading and trailing spaces are significant`() throws {
    let hash = try PasswordHash.hash(" kept as it is ")
    #expect(PasswordHash.verify(" kept as it is ", against: hash))
    #expect(!PasswordHash.verify("kept as it is", against: hash))
  }

  @Test func `the same password in different Unicode forms matches`() throws {
    let hash = try PasswordHash.hash("café por favor")
    #expect(PasswordHash.verify("cafe\u{301} por favor", against: hash))
    #expect(PasswordHash.verify("ｃａｆé por favor", against: hash))
    #expect(!PasswordHash.verify("cafe por favor", against: hash))
  }

  /// Of `password`, by argon2-cffi, salt `somesaltsomesalt`.
  @Test func `a hash of another program is accepted`() {
    let hash =
      "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$"
      + "K13EBUiG7JV+9ZxztmHFTdb7J0WQsnj2V8bZaqyPptE"
    #expect(PasswordHash.verify("password", against: hash))
    #expect(!PasswordHash.verify("passwore", against: hash))
  }

  @Test func `a hash with other parameters is accepted, and marked for renewal`() {
    let weak =
      "$argon2id$v=19$m=8192,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$"
      + "hPsAa7w81piVcitktb9zUlGp6Onz7Lk/9ZW5iut6zLc"
    #expect(PasswordHash.verify("password", against: weak))
    #expect(PasswordHash.needsRehash(weak))
  }

  @Test(arguments: [
    "", "password", "$argon2id$", "$argon2id$v=19$m=19456,t=2,p=1$",
    "$2b$12$abcdefghijklmnopqrstuv",
  ])
  func `an invalid hash matches nothing and is marked for renewal`(hash: String) {
    #expect(!PasswordHash.verify("password", against: hash))
    #expect(!PasswordHash.verify("", against: hash))
    #expect(PasswordHash.needsRehash(hash))
  }

  @Test func `the decoy hash costs the same work as a real hash`() throws {
    func shape(_ hash: String) -> [String] {
      let parts = hash.split(separator: "$").map(String.init)
      return parts.prefix(3) + parts.dropFirst(3).map { "\($0.utf8.count)" }
    }
    let real = try PasswordHash.hash("password")
    #expect(shape(PasswordHash.decoy) == shape(real))
    #expect(shape(real).count == 5)
    // libsodium parses it, so it is not refused before the work.
    #expect(!PasswordHash.needsRehash(PasswordHash.decoy))
    #expect(!PasswordHash.verify("password", against: PasswordHash.decoy))
  }
}
