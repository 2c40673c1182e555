import PrivacyMap
import Testing

/// The result of verdicts, by the rule of docs/explanation/claims.md.
@Suite struct TrustTests {
  /// Verdicts in order of time: `+` confirms, `-` disputes; then the claim's first
  /// letter and the basis's first two, `seen` when left out.
  private func trust(_ words: String) -> Trust {
    let claims: [Character: Claim] = ["p": .present, "f": .function, "d": .data, "o": .operator]
    let bases: [Substring: ClaimBasis] = [
      "": .seen, "se": .seen, "si": .sign, "do": .document, "op": .operator, "in": .inferred,
    ]
    var moment = Timestamp(secondsSinceEpoch: 0)
    return Trust(
      words.split(separator: " ").map { word in
        moment.secondsSinceEpoch += 60
        return Verdict(
          claim: claims[word.dropFirst().first ?? "p"] ?? .present, confirms: word.hasPrefix("+"),
          basis: bases[word.dropFirst(2)] ?? .seen, madeAt: moment)
      })
  }

  private func outcome(_ words: String, _ claim: Claim = .present) -> ClaimState.Outcome? {
    trust(words).claims.first { $0.claim == claim }?.outcome
  }

  @Test func `a claim is confirmed by two people, or by one with a document`() {
    #expect(outcome("") == .open)
    #expect(outcome("+p") == .open)
    #expect(outcome("+p +p") == .confirmed)
    #expect(outcome("+pdo") == .confirmed)
    #expect(outcome("+pin +pin") == .confirmed)
    #expect(outcome("+p +f") == .open)
  }

  @Test func `a dispute remains until a later verdict confirms`() {
    #expect(outcome("-p") == .disputed)
    #expect(outcome("+p +p -p") == .disputed)
    #expect(outcome("+p +p -p +p") == .confirmed)
    #expect(outcome("-p +p") == .disputed)
    #expect(outcome("-p +p +p") == .confirmed)
    #expect(outcome("-p +pdo") == .confirmed)
  }

  @Test func `the status follows the claims`() {
    for (words, status) in [
      ("", DeviceStatus.reported), ("+p", .reported), ("+p +p", .confirmed), ("+f +f", .reported),
      ("+pdo", .confirmed), ("+p +p -o", .disputed), ("-d", .disputed), ("-p", .disputed),
      ("-p -p", .removed), ("-pdo", .removed), ("-pin -pin", .disputed), ("-pin -p", .disputed),
      ("-p -pop", .removed), ("-p -p +p", .disputed), ("-p -p +p +p", .confirmed),
      ("+p +p +p -p -p", .removed), ("-p +p -p", .disputed), ("-p -p -f", .removed),
      ("-p -p -f -f", .notADevice), ("-pdo -fdo", .notADevice), ("-f -f", .disputed),
      ("-p -p -f -f +f", .removed),
    ] {
      #expect(trust(words).status(base: .reported) == status, "\(words)")
    }
  }

  @Test func `the status of a moderator or a list applies without verdicts`() {
    for base in DeviceStatus.allCases {
      #expect(trust("").status(base: base) == base)
      #expect(trust("+p").status(base: base) == base)
      #expect(trust("+p +p").status(base: base) == .confirmed)
    }
    #expect(trust("-p").status(base: .removed) == .removed)
    #expect(trust("-o").status(base: .notADevice) == .notADevice)
    #expect(trust("-p").status(base: .confirmed) == .disputed)
  }

  @Test func `a claim states the number of its confirmations, and their last day`() throws {
    let state = try #require(trust("+psi -p +pdo +psi").claims.first)
    #expect(state.confirmations == 3 && state.disputes == 1)
    #expect(state.bases == [.sign, .document])
    #expect(state.lastOn == Day(daysSinceEpoch: 0))
    #expect(trust("+p -p").claims.first?.lastConfirmedOn == Day(daysSinceEpoch: 0))
    #expect(trust("+f").lastConfirmed == nil)
    #expect(trust("").claims.map(\.claim) == Claim.allCases)
  }
}
