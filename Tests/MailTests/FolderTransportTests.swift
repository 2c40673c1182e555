import Foundation
import Mail
import Testing

@Suite struct FolderTransportTests {
  private let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("farol-mail-" + UUID().uuidString)

  private func files() throws -> [URL] {
    try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
  }

  private func mode(_ url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }

  @Test func `each mail is a file that only its owner can read`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    let transport = FolderTransport(directory: folder.path)
    let message = try TestMail.message()
    try transport.send(message)
    try transport.send(message)
    let files = try files()
    #expect(files.count == 2)
    for file in files {
      #expect(file.lastPathComponent.hasPrefix("20261121T120000Z-"))
      #expect(file.pathExtension == "eml")
      #expect(try [UInt8](Data(contentsOf: file)) == message.mime())
      #expect(try mode(file) == 0o600)
    }
    #expect(try mode(folder) == 0o700)
  }

  @Test func `a folder that cannot be created is reported without an address`() throws {
    let message = try TestMail.message()
    let transport = FolderTransport(directory: "/dev/null/mail")
    #expect(throws: MailFailure("the folder for mail cannot be made: Not a directory")) {
      try transport.send(message)
    }
  }

  @Test func `a file at the path of the folder is a failure`() throws {
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data().write(to: folder)
    let message = try TestMail.message()
    #expect(throws: MailFailure.self) { try FolderTransport(directory: folder.path).send(message) }
  }
}
