import Foundation
import Mail

/// The mail settings.
struct MailSettings {
  /// Nil: mail is written to a folder.
  let server: SMTPServer?
  let sender: Mailbox

  /// - Parameters:
  ///   - server: `FAROL_SMTP_URL`.
  ///   - sender: `FAROL_MAIL_FROM`.
  ///   - instance: the name for a sender without a name.
  ///   - baseURL: provides the host of a default sender, if mail stays on this machine.
  /// - Throws: ``InvalidSetting`` for the first invalid setting. The error does not repeat `server`, which may
  ///   contain a password.
  init(server: String?, sender: String?, instance: String, baseURL: String?) throws {
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
