import Foundation

/// Asks for a password. Passwords are never command-line arguments, because other users of the machine can see
/// arguments.
struct PasswordPrompt {
  /// Whether the password is the first line of standard input, for scripts.
  let readsInput: Bool

  /// A new password. On a terminal it must be entered twice.
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
      throw CommandFailure("the two passwords differ")
    }
    return password
  }

  /// Reads a line without echo on the terminal.
  private func ask(_ question: String) throws -> String {
    FileHandle.standardError.write(Data(question.utf8))
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
      throw CommandFailure("the terminal does not support hidden input")
    }
    var hiding = settings
    hiding.c_lflag &= ~tcflag_t(ECHO)
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &hiding)
    defer {
      tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
      FileHandle.standardError.write(Data("\n".utf8))
    }
    guard let line = readLine(strippingNewline: true) else {
      throw CommandFailure("no password was entered")
    }
    return line
  }
}
