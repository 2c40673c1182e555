internal import CCurl

/// The result of sending a mail.
struct SMTPOutcome {
  let code: CURLcode
  /// The last reply code of the server; 0 if there was none.
  let reply: Int
  /// The enhanced status of that reply; nil if there was none.
  let status: EnhancedStatus?
  /// libcurl's error text, used only to find out which command was refused.
  let said: [UInt8]
  let bytesSent: Int
  let isBodySent: Bool
  let isOverTime: Bool

  var isAccepted: Bool { code == CURLE_OK }

  /// Whether a new connection may succeed where one that was open before failed: the server has closed it, or accepts
  /// no more mails on it. No part of the mail was sent.
  var mayWorkOnNewConnection: Bool {
    !isAccepted && bytesSent == 0 && reply < 500 && code != CURLE_ABORTED_BY_CALLBACK
      && code != CURLE_OPERATION_TIMEDOUT
  }

  var failure: MailFailure {
    if isRefusal {
      let code = status.map { "\(reply) \($0)" } ?? "\(reply)"
      // A code such as 550 alone has any of these reasons (RFC 5321 §4.2.3).
      let fault = status.flatMap(DeliveryFault.init) ?? (isAboutRecipient ? .undelivered : .content)
      return MailFailure(
        "the mail server refused the mail (\(code))", isPermanent: true, fault: fault)
    }
    let answer = (400..<600).contains(reply) ? " (\(reply))" : ""
    return MailFailure(words + answer)
  }

  /// Whether the server permanently refused this recipient or this content.
  ///
  /// A reply of 500 or more to a greeting, a login or a sender is caused by the configuration, which an
  /// admin can correct.
  private var isRefusal: Bool {
    guard (500..<600).contains(reply), ![530, 534, 535, 538].contains(reply) else { return false }
    return isBodySent || isAboutRecipient
      || String(decoding: said, as: UTF8.self).hasPrefix("DATA failed")
  }

  /// Whether the server refused the command that names the recipient.
  private var isAboutRecipient: Bool {
    !isBodySent && String(decoding: said, as: UTF8.self).hasPrefix("RCPT failed")
  }

  private var words: String {
    switch code {
    case CURLE_COULDNT_RESOLVE_HOST: "the name of the mail server cannot be resolved"
    case CURLE_COULDNT_CONNECT: "the mail server cannot be reached"
    case CURLE_OPERATION_TIMEDOUT: "the mail server took too long"
    case CURLE_USE_SSL_FAILED: "the mail server offers no STARTTLS"
    case CURLE_PEER_FAILED_VERIFICATION: "the certificate of the mail server is not trusted"
    case CURLE_SSL_CACERT_BADFILE: "the file of trusted authorities cannot be read"
    case CURLE_SSL_CONNECT_ERROR: "the mail server and Farol could not agree on TLS"
    case CURLE_LOGIN_DENIED: "the mail server refused the login"
    case CURLE_ABORTED_BY_CALLBACK:
      isOverTime ? "the mail server took too long" : "Farol is stopping"
    case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_WEIRD_SERVER_REPLY:
      reply >= 400 ? "the mail server did not take the mail" : "the connection broke"
    default: "sending failed: \(String(cString: curl_easy_strerror(code)))"
    }
  }
}
