/// Why a mail finally failed, as far as it decides whether more mails are sent to its recipient.
package enum DeliveryFault: Equatable, Sendable {
  /// The mailbox does not exist.
  case noMailbox
  /// The recipient did not get the mail for a reason that may pass, or for one that is not known: a full or disabled
  /// mailbox, a host that does not answer, a refusal without a reason.
  case undelivered
  /// The server of the recipient accepts no such mail from this instance: a block list, missing authentication, a
  /// sender that it does not accept. The recipient has no part in it, and only the operator of the instance can
  /// correct it.
  case policy
  /// The mail itself was refused: too large, or its content.
  case content

  /// The reason that a status gives; nil if the mail has not finally failed.
  ///
  /// The codes come from RFC 3463 and the IANA registry "SMTP Enhanced Status Codes". Only codes of the mailbox itself
  /// count as ``noMailbox``: X.1.1 (bad mailbox), X.1.6 (moved without a forwarding address) and X.1.10 (the domain
  /// accepts no mail, RFC 7505). X.1.2 (bad domain) is also the report of a relay whose name server is broken.
  ///
  /// A temporary code in a report means that the relay gave up. It counts only if it is about policy, because an
  /// outage of the relay would otherwise concern everyone.
  package init?(_ status: EnhancedStatus) {
    switch (status.class, status.subject, status.detail) {
    case (4, 7, _), (5, 7, _), (5, 1, 7), (5, 1, 8): self = .policy
    case (5, 1, 1), (5, 1, 6), (5, 1, 10): self = .noMailbox
    case (5, 6, _), (5, 2, 3), (5, 3, 4): self = .content
    case (5, _, _): self = .undelivered
    default: return nil
    }
  }

  /// The reason to assume if several statuses of one mail differ: the one with the least effect on the recipient.
  static func mildest(_ faults: [DeliveryFault]) -> DeliveryFault? {
    let order: [DeliveryFault] = [.content, .policy, .undelivered, .noMailbox]
    return order.first(where: faults.contains)
  }
}

/// A status code such as `5.1.1` (RFC 3463 §2).
package struct EnhancedStatus: Equatable, Sendable, CustomStringConvertible {
  let `class`: Int
  let subject: Int
  let detail: Int

  /// Nil if the text is no such code.
  package init?(_ text: some StringProtocol) {
    let numbers = text.split(separator: ".", omittingEmptySubsequences: false)
    guard numbers.count == 3, numbers[0].utf8.count == 1,
      numbers.allSatisfy({
        (1...3).contains($0.utf8.count) && $0.utf8.allSatisfy(ASCII.isDigit)
      }),
      let kind = Int(numbers[0]), let subject = Int(numbers[1]), let detail = Int(numbers[2]),
      [2, 4, 5].contains(kind)
    else { return nil }
    (self.class, self.subject, self.detail) = (kind, subject, detail)
  }

  package var description: String { "\(self.class).\(subject).\(detail)" }
}

/// The replies of a mail server, read line by line.
struct SMTPReplies {
  private var code = 0
  /// The enhanced status (RFC 2034) of the last reply with each code. The reply to QUIT, which follows a refusal, has
  /// another code.
  private var statuses: [Int: EnhancedStatus] = [:]

  /// Reads a line such as `550-5.1.1 <ana@example.org> unknown`. The rest of a line often has an address, and is
  /// dropped.
  mutating func read(_ line: UnsafeRawBufferPointer) {
    let text = String(decoding: line.prefix(24), as: UTF8.self)
    guard text.utf8.count >= 4, let code = Int(text.prefix(3)) else { return }
    if code != self.code { (self.code, statuses[code]) = (code, nil) }
    let word = text.dropFirst(4).prefix { $0 == "." || $0.isASCII && $0.isNumber }
    guard let found = EnhancedStatus(word), found.class == code / 100 else { return }
    statuses[code] = found
  }

  /// The enhanced status of the last reply with a code; nil if it had none.
  func status(of code: Int) -> EnhancedStatus? { statuses[code] }
}
