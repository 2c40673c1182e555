import Foundation
import Mail
import TestMailServer
import Testing

/// Our mails as a server reads them that is independent of Farol.
@Suite struct DeliveryTests {
  private func delivered(_ message: MailMessage) throws -> TestMailServer.Mail {
    let server = try TestMailServer()
    try SMTPTransport(to: SMTPServer("smtp://127.0.0.1:\(server.port)")).send(message)
    return try server.next()
  }

  @Test func `sender, recipient and server name arrive as configured`() throws {
    let mail = try delivered(TestMail.message())
    #expect(mail.sender == "farol@example.org")
    #expect(mail.recipients == ["ana@example.net"])
    #expect(mail.greeting == "example.org")
    #expect(mail.headers["From"] == "Farol <farol@example.org>")
    #expect(mail.headers["To"] == "ana@example.net")
    #expect(mail.headers["Message-Id"] == "<1f2e@farol.example.org>")
    #expect(mail.defects == [])
  }

  @Test(arguments: [
    "Confirme a sua morada de e-mail", "A sua câmara «São João» já não está no mapa",
    "Ação: não há alteração — verifique à tarde, às três", "two  spaces", "a_b=c?d", "日本語の件名",
    "👩‍👩‍👧 família", "<img src=x onerror=alert(1)>",
    "More than one line long, in plain words, so that the subject has to be folded somewhere.",
  ])
  func `a subject arrives unchanged`(subject: String) throws {
    let mail = try delivered(TestMail.message(subject: subject))
    #expect(mail.headers["Subject"] == subject)
    #expect(mail.defects == [])
  }

  @Test(arguments: [
    "=?UTF-8?Q?not_encoded?=", "About =?utf-8?B?YQ==?= b", "à =?ISO-8859-1?Q?=0D?=",
  ])
  func `a subject that looks like an encoded word is not decoded`(subject: String) throws {
    let mail = try delivered(TestMail.message(subject: subject))
    // An invisible word joiner breaks the sign of an encoded word.
    #expect(mail.headers["Subject"]?.replacing("\u{2060}", with: "") == subject)
  }

  @Test func `a long subject in Portuguese arrives complete`() throws {
    let subject =
      String(
        repeating: "Alguém já se inscreveu com a sua morada; é você? Então não há mais nada. ",
        count: 7
      ) + "Fim"
    let mail = try delivered(TestMail.message(subject: subject))
    #expect(mail.headers["Subject"] == subject)
  }

  @Test(arguments: [
    "Farol", "Farol da Ponta do Pargo", "São \"(x)\", <y>", "a@b",
  ])
  func `the sender's name arrives unchanged`(name: String) throws {
    let address = try EmailAddress("farol@example.org")
    let message = try MailMessage(
      from: Mailbox(name: name, address: address), to: address, subject: "Olá", language: "pt",
      text: "Olá", html: "<p>Olá", date: TestMail.message().date, messageID: "a@b")
    let mail = try delivered(message)
    #expect(mail.sender == "farol@example.org")
    #expect(mail.senderName == name)
    #expect(mail.defects == [])
  }

  @Test func `both parts arrive unchanged`() throws {
    let text =
      "Olá, Ana!\n\n\tUm espaço no fim: \n=3D não é =\nhttps://farol.example/confirm#token=a=b\n"
    let html = "<!doctype html>\n<p title=\"à\">Olá, Ana!</p>\n"
    let mail = try delivered(TestMail.message(text: text, html: html))
    #expect(mail.parts.map(\.type) == ["text/plain", "text/html"])
    #expect(mail.text == text)
    #expect(mail.html == html)
    #expect(mail.headers["Content-Language"] == "pt")
  }

  @Test func `a dot at the start of a line arrives, alone and with other text`() throws {
    let dots = ".\n..\n.a\n...\n" + String(repeating: ".", count: 200) + "\n.\n"
    // Long enough to span the 64 kB chunks that libcurl sends.
    let text =
      dots + String(repeating: ".\n..bc\n" + String(repeating: "x", count: 70) + "\n", count: 3_000)
    let mail = try delivered(TestMail.message(text: text, html: dots))
    #expect(mail.text == text)
    #expect(mail.html == dots)
  }

  @Test func `the bytes of the received mail are those of the sent mail`() throws {
    let message = try TestMail.message(text: "Olá\n.\n")
    #expect(try delivered(message).bytes == message.mime())
  }
}
