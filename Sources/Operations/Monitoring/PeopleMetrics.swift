import Metrics
import Moderation

extension Monitoring {
  /// Metrics of waiting mail and of the outcomes of mails.
  func ofMail(_ stored: StoredFigureReader) -> [MetricFamily] {
    [
      .gauge("farol_mail_waiting", "Mails waiting to be sent.") {
        stored.latest.map { Double($0.mail.count) }
      },
      .gauge(
        "farol_mail_oldest_age_seconds", "Waiting time of the oldest mail; 0 if none waits."
      ) {
        stored.latest?.mail.oldestAge
      },
      .counter("farol_mail_total", "Mails by outcome.", by: "outcome", mail),
    ]
  }

  /// Metrics of user activity that may need a moderator or an admin.
  static func ofPeople(_ stored: StoredFigureReader) -> [MetricFamily] {
    func queue(
      _ name: String, _ help: String, _ value: @escaping @Sendable (StoredFigures.Waiting) -> Double
    ) -> MetricFamily {
      MetricFamily(.gauge, name, help, labels: ["kind"]) {
        guard let figures = stored.latest else { return [] }
        let nothing = StoredFigures.Waiting(count: 0, oldestAge: 0)
        return QueueStore.Kind.allCases.map {
          MetricSample(value(figures.queue[$0] ?? nothing), labels: [$0.rawValue])
        }
      }
    }
    return [
      queue("farol_moderation_queue_items", "Items waiting for a moderator.") { Double($0.count) },
      queue(
        "farol_moderation_queue_oldest_age_seconds",
        "Waiting time of the oldest item of a kind; 0 if none waits."
      ) { $0.oldestAge },
      .gauge("farol_choices_overdue", "Requests to operators past their deadline for an answer.") {
        stored.latest.map { Double($0.overdueChoices) }
      },
      .gauge("farol_watches", "Watches that are not paused.") {
        stored.latest.map { Double($0.watches) }
      },
    ]
  }
}
