import Foundation
import Mail

/// How mail leaves, as the settings say.
struct MailSettings {
  /// Nil: it stays in a folder.
  let server: SMTPServer?
  let sender: Mailbox

  /// - Parameters:
  ///   - server: `FAROL_SMTP_URL`.
  ///   - sender: `FAROL_MAIL_FROM`.
  ///   - instance: the name of a sender that has none.
  ///   - baseURL: whose host stands in for a sender, where mail stays here.
  /// - Throws: ``InvalidSetting`` for the first one that is wrong, without repeating the first, which
  ///   may hold a password.
  init(server: String?, sender: String?, instance: String, baseURL: String?) throws {
    do throws(InvalidSMTPServer) { self.server = try server.map(SMTPServer.init) } catch {
      throw InvalidSetting(name: "FAROL_SMTP_URL", problem: error.description)
    }
    guard let sender else {
      guard server == nil else {
        throw InvalidSetting(
          name: "FAROL_MAIL_FROM",
          problem: "say whom mail comes from, as Farol <farol@example.org>.")
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

  /// A sender at the host of the instance; at one that never exists (RFC 2606) where that is none.
  private static func standIn(_ baseURL: String?) throws -> EmailAddress {
    let host = baseURL.flatMap { URLComponents(string: $0)?.host } ?? ""
    return try (try? EmailAddress("farol@\(host)")) ?? EmailAddress("farol@farol.invalid")
  }

  /// The way for mail to leave; `folder` takes it where there is no server.
  func transport(orInto folder: URL) -> any MailTransport {
    server.map { SMTPTransport(to: $0) } ?? FolderTransport(directory: folder.path)
  }

  /// For the log at the start.
  func announcement(folder: URL) -> String {
    server.map { "mail leaves through \($0.host):\($0.port)" }
      ?? "no mail server is set: mail lands in \(folder.path)"
  }
}
