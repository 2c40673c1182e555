import Foundation

/// Asks for a password, which never stands on a command line: others on the machine see those.
struct PasswordPrompt {
  /// Whether it is the first line of standard input, as scripts give it.
  let readsInput: Bool

  /// A password, typed twice where somebody types it.
  ///
  /// - Throws: ``CommandFailure``.
  func newPassword() throws -> String {
    if readsInput {
      guard let line = readLine(strippingNewline: true) else {
        throw CommandFailure("standard input holds no password")
      }
      return line
    }
    guard isatty(STDIN_FILENO) == 1 else {
      throw CommandFailure("there is no terminal to ask for a password: use --password-stdin")
    }
    let password = try ask("Password: ")
    guard try ask("Once more: ") == password else {
      throw CommandFailure("these were two different passwords")
    }
    return password
  }

  /// Reads a line that the terminal does not show.
  private func ask(_ question: String) throws -> String {
    FileHandle.standardError.write(Data(question.utf8))
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
      throw CommandFailure("the terminal cannot be told to hide what is typed")
    }
    var hiding = settings
    hiding.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hiding)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
      FileHandle.standardError.write(Data("\n".utf8))
    }
    guard let line = readLine(strippingNewline: true) else {
      throw CommandFailure("no password was typed")
    }
    return line
  }
}
