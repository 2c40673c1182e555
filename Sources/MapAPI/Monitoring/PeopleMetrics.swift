import Metrics
import WebServer

/// The outcome of sending a mail.
enum MailOutcome: String, CaseIterable, Sendable {
  case sent
  /// To be retried.
  case putOff = "put_off"
  case refused
}

/// The outcome of a sign-in attempt.
enum SignInOutcome: String, CaseIterable, Sendable {
  case succeeded
  /// Username or password was wrong.
  case refused
  /// The password was right, and a one-time code is required.
  case codeNeeded = "code_needed"
  case codeRefused = "code_refused"
  /// Too many attempts.
  case throttled

  /// Nil for errors that do not decide the attempt, such as a malformed request.
  init?(_ error: any Error) {
    guard let refusal = error as? Refusal else { return nil }
    switch refusal.message.key {
    case SessionRoutes.refused.message.key: self = .refused
    case SessionRoutes.codeNeeded.message.key: self = .codeNeeded
    case SessionRoutes.codeWrong.message.key: self = .codeRefused
    default:
      guard refusal.status == .tooManyRequests else { return nil }
      self = .throttled
    }
  }
}

/// The outcome of a picture upload.
enum PictureOutcome: String, CaseIterable, Sendable {
  case drawn
  case notAnImage = "not_an_image"
  case tooManyBytes = "too_many_bytes"
  case tooManyPixels = "too_many_pixels"
  case damaged
  case tooCostly = "too_costly"
  /// `farol-image` is missing or failed.
  case failed

  /// The outcome of a failed attempt to process a picture.
  init(_ error: any Error) {
    let refusal = (error as? PictureRefusal)?.rawValue ?? ""
    self = PictureOutcome(rawValue: refusal) ?? .failed
  }
}

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
  static func ofPeople(_ app: App, _ stored: StoredFigureReader) -> [MetricFamily] {
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
      .counter(
        "farol_sign_ins_total", "Sign-in attempts.", by: "outcome", app.accounts.signIns),
      .counter(
        "farol_photos_total", "Uploaded pictures.", by: "outcome", app.photos.image.outcomes),
      queue("farol_moderation_queue_items", "Items waiting for a moderator.") { Double($0.count) },
      queue(
        "farol_moderation_queue_oldest_age_seconds",
        "Waiting time of the oldest item of a kind; 0 if none waits."
      ) { $0.oldestAge },
      .gauge("farol_choices_overdue", "Requests to operators past their deadline for an answer.") {
        stored.latest.map { Double($0.overdueChoices) }
      },
    ]
  }
}
