import ArgumentParser
import Foundation
import Mail

/// The mail settings of `farol serve`.
struct MailOptions: ParsableArguments {
  @Option(
    """
    The mail server, such as smtp://user:password@mail.example.org:587 (FAROL_SMTP_URL, which other users cannot \
    see; default: mail is written to a folder beside the database).
    """, "url")
  var smtpURL: String?

  @Option("Sender of mail, such as Farol <farol@example.org> (FAROL_MAIL_FROM).", "sender")
  var mailFrom: String?

  @Option(
    """
    Envelope senders of mail, an address with * for a token, such as bounces+*@example.org \
    (FAROL_BOUNCE_ADDRESS; default: the sender of mail).
    """, "address")
  var bounceAddress: String?

  @Option(
    """
    The mailbox of these addresses, such as pop3s://user:password@mail.example.org (FAROL_BOUNCE_URL, which \
    other users cannot see; default: bounces are not read). Farol reads and deletes all mails in it.
    """, "url")
  var bounceURL: String?
}

/// The mail settings.
struct MailSettings {
  /// Nil: mail is written to a folder.
  let server: SMTPServer?
  let sender: Mailbox
  /// Nil: bounces are not read.
  let bounces: (address: BounceAddress, mailbox: POP3Server)?

  /// `instance` is the name for a sender without a name. `baseURL` provides the host of a default sender, if mail stays
  /// on this machine.
  ///
  /// - Throws: ``InvalidSetting`` for the first invalid setting. The error does not repeat a URL, which may contain a
  ///   password.
  init(
    _ options: MailOptions, _ reader: SettingReader, instance: String, baseURL: String?
  ) throws {
    let server = reader.text(options.smtpURL, "FAROL_SMTP_URL")
    let sender = reader.text(options.mailFrom, "FAROL_MAIL_FROM")
    bounces = try Self.bounces(options, reader, hasServer: server != nil)
    do throws(InvalidSMTPServer) { self.server = try server.map(SMTPServer.init) } catch {
      throw InvalidSetting(name: "FAROL_SMTP_URL", problem: error.description)
    }
    guard let sender else {
      guard server == nil else {
        throw InvalidSetting(
          name: "FAROL_MAIL_FROM",
          problem: "set the sender of mail, such as Farol <farol@example.org>.")
      }
      self.sender = Mailbox(name: instance, address: try Self.standIn(baseURL))
      return
    }
    do throws(InvalidEmailAddress) {
      let given = try Mailbox(sender)
      self.sender = Mailbox(name: given.name ?? instance, address: given.address)
    } catch {
      throw InvalidSetting(
        name: "FAROL_MAIL_FROM", problem: "“\(sender)” is \(error.description).")
    }
  }

  private static func bounces(
    _ options: MailOptions, _ reader: SettingReader, hasServer: Bool
  ) throws -> (address: BounceAddress, mailbox: POP3Server)? {
    let (addressName, urlName) = ("FAROL_BOUNCE_ADDRESS", "FAROL_BOUNCE_URL")
    let address = reader.text(options.bounceAddress, addressName)
    let url = reader.text(options.bounceURL, urlName)
    guard address != nil || url != nil else { return nil }
    guard let address, let url else {
      throw InvalidSetting(
        name: address == nil ? addressName : urlName,
        problem: "\(addressName) and \(urlName) go together; one of them is not set.")
    }
    guard hasServer else {
      throw InvalidSetting(
        name: addressName, problem: "without FAROL_SMTP_URL no mail leaves, so none can bounce.")
    }
    let pattern: BounceAddress
    do throws(InvalidBounceAddress) { pattern = try BounceAddress(address) } catch {
      throw InvalidSetting(name: addressName, problem: "“\(address)” is not \(error.description).")
    }
    do throws(InvalidPOP3Server) { return (pattern, try POP3Server(url)) } catch {
      throw InvalidSetting(name: urlName, problem: error.description)
    }
  }

  /// A sender at the host of the instance, or at a host that never exists (RFC 2606) if there is
  /// none.
  private static func standIn(_ baseURL: String?) throws -> EmailAddress {
    let host = baseURL.flatMap { URLComponents(string: $0)?.host } ?? ""
    return try (try? EmailAddress("farol@\(host)")) ?? EmailAddress("farol@farol.invalid")
  }

  /// The mail transport. Without a server, mail is written to `folder`.
  func transport(orInto folder: URL) -> any MailTransport {
    server.map { SMTPTransport(to: $0) } ?? FolderTransport(directory: folder.path)
  }

  /// A message for the log at the start.
  func announcement(folder: URL) -> String {
    server.map { "mail leaves through \($0.host):\($0.port)" }
      ?? "no mail server is set: mail is written to \(folder.path)"
  }
}
