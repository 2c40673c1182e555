import PrivacyMap
import Testing

/// Numbers of people in steps, which change only for ten people at once.
@Suite struct PublishedCountTests {
  @Test func `the steps begin with ten and are at least ten apart`() {
    let steps = PublishedCount.steps
    #expect(steps.first == Suppression.minimum)
    for (one, next) in zip(steps, steps.dropFirst()) {
      #expect(next - one >= Suppression.minimum, "\(one), \(next)")
    }
  }

  @Test(
    arguments: [
      (0, nil), (9, nil), (10, 10), (24, 10), (25, 25), (49, 25), (50, 50), (999, 500),
      (1_000, 1_000),
    ] as [(Int, Int?)])
  func `a number is shown as the step below it`(people: Int, step: Int?) {
    #expect(PublishedCount(people: people).step == step)
  }

  @Test func `nine people more or fewer change nothing`() {
    let count = PublishedCount(people: 24)
    for people in 15...33 { #expect(count.renewed(by: people) == count, "\(people)") }
    #expect(count.renewed(by: 34).step == 25)
    #expect(count.renewed(by: 14).step == 10)
    #expect(count.renewed(by: 9).step == nil)
    #expect(PublishedCount().renewed(by: 9).step == nil)
    #expect(PublishedCount().renewed(by: 10).step == 10)
  }

  @Test func `an attacker who sees all publications never sees the act of fewer than ten`() {
    var chance = SystemRandomNumberGenerator()
    for _ in 0..<200 {
      var (people, count) = (0, PublishedCount())
      var atLastChange = 0
      for _ in 0..<60 {
        people = max(0, people + Int.random(in: -12...14, using: &chance))
        let next = count.renewed(by: people)
        if next != count {
          #expect(abs(people - atLastChange) >= Suppression.minimum)
          atLastChange = people
        } else {
          #expect(next.step == count.step)
        }
        #expect(next.step.map { $0 <= atLastChange } ?? (atLastChange < Suppression.minimum))
        count = next
      }
    }
  }
}
