import DevicePhotos
import Devices
import JSON
import Service
import SpatialDatabase

/// Approvals: dismissing flags, and accepting contributions of new accounts.
extension Moderation {
  func judge(
    _ request: ModerationActionRequest, _ caller: Caller, _ connection: borrowing Connection
  ) throws -> (Target, Decision) {
    let authority = Authority(actor: try caller.signedIn())
    switch request.target.kind {
    case .review:
      let review = try openReview(request.target.id, connection)
      try authority.checkNotOwn(review.account)
      try checkSeen(request, request.target, connection)
      return (request.target, try judge([review], request.action, connection))
    case .flag:
      guard let flag = try cases.flag(request.target.id, connection) else { throw NotFound.flag }
      try authority.checkNotOwn(flag.about)
      try checkSeen(request, request.target, connection)
      return (
        request.target,
        Decision(flags: .one(id: request.target.id), flagOutcome: .dismissed)
      )
    case .device, .photo, .account: break
    }
    let subject = try Subject(request.target, for: caller, connection)
    try authority.checkNotOwn(subject.author)
    try checkSeen(request, subject.target, connection)
    if request.action == .accept, let account = subject.author {
      let reviews = try cases.reviews(.by(account: account), connection)
      guard !reviews.isEmpty else { throw Refusal.overtaken("error.act.nothing_open") }
      return (subject.target, try judge(reviews, .accept, connection))
    }
    return (
      subject.target, Decision(flags: .of(subject.target), flagOutcome: .dismissed)
    )
  }

  /// - Throws: a 412 ``Refusal`` if the target has changed since the moderator saw it.
  func checkSeen(
    _ request: ModerationActionRequest, _ target: Target, _ connection: borrowing Connection
  ) throws {
    guard let version = request.version else { return }
    try SeenVersion.check(version, is: QueueJSON(moderation: self).seen(target, connection))
  }

  /// Accepts reviews, or closes them as refused. A refused photo is hidden.
  private func judge(
    _ reviews: [OpenCaseStore.Review], _ action: ModerationAction,
    _ connection: borrowing Connection
  ) throws -> Decision {
    if action == .accept {
      try standing.accept(reviews, connection)
    } else {
      for review in reviews {
        if let photo = review.photo { try photos.set(photo, to: "hidden", connection) }
      }
    }
    return Decision(
      reviews: reviews, reviewOutcome: action == .accept ? .accepted : .refused)
  }

  private func openReview(
    _ id: String, _ connection: borrowing Connection
  ) throws -> OpenCaseStore.Review {
    guard let review = try cases.reviews(.one(id: id), connection).first else {
      throw NotFound.review
    }
    guard review.isOpen else { throw Refusal.overtaken("error.act.decided_already") }
    return review
  }

  /// Undoes an approval: contributions that it accepted no longer count and wait for review again.
  func takeBackJudgement(_ act: ModerationActionRecord, _ connection: borrowing Connection) throws {
    let reviews = try cases.reviews(endedBy: act, connection)
    if act.action == .accept {
      try standing.takeBack(reviews, connection)
    } else {
      for review in reviews {
        if let photo = review.photo { try photos.set(photo, to: "waiting", connection) }
      }
    }
  }
}
