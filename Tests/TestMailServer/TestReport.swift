/// Reports about the delivery of mails, in the form of Postfix.
package enum TestReport {
  /// `status` are the fields of recipients, `original` is the mail that failed.
  package static func text(
    status: String = "Final-Recipient: rfc822; ana@example.net\nAction: failed\nStatus: 5.1.1",
    to recipient: String = "bounces+abc@example.org", type: String = "multipart/report",
    kind: String = "report-type=delivery-status", part: String = "message/delivery-status",
    original: String = "Subject: News\n\nHello.\n"
  ) -> String {
    """
    Return-Path: <>
    Delivered-To: \(recipient)
    From: MAILER-DAEMON@mail.example.net (Mail Delivery System)
    Subject: Undelivered Mail Returned to Sender
    To: \(recipient)
    Auto-Submitted: auto-replied
    MIME-Version: 1.0
    Content-Type: \(type); \(kind);
    \tboundary="A1B2.1/mail.example.net"

    This is a MIME-encapsulated message.

    --A1B2.1/mail.example.net
    Content-Description: Notification
    Content-Type: text/plain; charset=us-ascii

    I'm sorry to have to inform you that your message could not be delivered.

    --A1B2.1/mail.example.net
    Content-Description: Delivery report
    Content-Type: \(part)

    Reporting-MTA: dns; mail.example.net
    Arrival-Date: Sat, 21 Nov 2026 12:00:00 +0000 (UTC)

    \(status)

    --A1B2.1/mail.example.net
    Content-Description: Undelivered Message
    Content-Type: message/rfc822

    \(original)
    --A1B2.1/mail.example.net--
    """
  }
}
