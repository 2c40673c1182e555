import Accounts
import App
import ArgumentParser
import Foundation
import JSON
import Service

/// `farol admin`: account management on the machine of the instance.
struct AdminCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin", abstract: "Manage accounts.",
    subcommands: [Create.self, Promote.self, ResetPassword.self])

  /// `farol admin create`.
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Create an admin account and show its second factor for an authenticator app.")

    @OptionGroup var options: CommonOptions
    @Option(help: "The public username of the admin.") var username: String
    @Option(help: "The e-mail address of the admin.") var email: String
    @Flag(help: "Read the password from standard input, not from the terminal.")
    var passwordStdin = false

    func run() throws {
      let password = try PasswordPrompt(readsInput: passwordStdin).newPassword()
      try AdminCommand.run(
        "admin create", options,
        [
          "username": .string(username), "email": .string(email), "password": .string(password),
          "picture": .bool(AdminCommand.isTerminal),
        ])
    }
  }

  /// `farol admin promote`.
  struct Promote: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Change the role of an account and end its sessions.")

    @OptionGroup var options: CommonOptions
    @Option(help: "The username of the account.") var username: String
    @Option(help: "contributor, operator, moderator or admin.") var role: String

    func validate() throws {
      guard Role(rawValue: role) != nil else {
        let known = Role.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("“\(role)” is none of \(known).")
      }
    }

    func run() throws {
      try AdminCommand.run(
        "admin promote", options, ["username": .string(username), "role": .string(role)])
    }
  }

  /// `farol admin reset-password`.
  struct ResetPassword: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "reset-password", abstract: "Set the password of an account.")

    @OptionGroup var options: CommonOptions
    @Option(help: "The username of the account.") var username: String
    @Flag(help: "Read the password from standard input, not from the terminal.")
    var passwordStdin = false
    @Flag(help: "Also create a new second factor, if the app and the codes were lost.")
    var secondFactor = false

    func run() throws {
      let password = try PasswordPrompt(readsInput: passwordStdin).newPassword()
      try AdminCommand.run(
        "admin reset-password", options,
        [
          "username": .string(username), "password": .string(password),
          "second_factor": .bool(secondFactor), "picture": .bool(AdminCommand.isTerminal),
        ])
    }
  }

  /// Whether a person reads the output; a QR code would only disturb a program.
  private static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  private static func run(
    _ name: String, _ options: CommonOptions, _ arguments: JSONValue
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    try RemoteCommand(name, arguments).run(
      on: DatabaseLocation(options, reader),
      home: Home(named: reader.text(options.home, "FAROL_HOME")), environment: environment)
  }
}

/// Runs the `farol admin` commands on an open instance.
struct AdminWork {
  let name: String
  let arguments: JSONValue

  private var username: String { arguments["username"]?.stringValue ?? "" }
  private var password: String { arguments["password"]?.stringValue ?? "" }

  func run(_ app: App, output: CommandOutput) throws {
    let powers = AccountPowers(accounts: try app.instance.part())
    do {
      switch name {
      case "admin create":
        let given = try powers.createAdmin(
          username: username, email: arguments["email"]?.stringValue ?? "", password: password)
        output.say("\(username) is an admin")
        show(given, output)
      case "admin promote":
        let role = arguments["role"]?.stringValue.flatMap(Role.init(rawValue:)) ?? .contributor
        try powers.changeRole(of: username, to: role)
        output.say("\(username) has the role \(role.rawValue)")
      default:
        let given = try powers.resetPassword(
          of: username, to: password,
          renewsSecondFactor: arguments["second_factor"]?.boolValue ?? false)
        output.say("\(username) has a new password; every session and token has ended")
        if let given { show(given, output) }
      }
    } catch let failure as AccountPowers.Failure {
      throw CommandFailure(failure.description)
    }
  }

  private func show(_ given: AccountPowers.SecondFactorGiven, _ output: CommandOutput) {
    if arguments["picture"]?.boolValue == true {
      output.say("Scan this code with an authenticator app; it is shown only once:")
      for row in given.picture { output.say(row) }
      output.say("Or type this secret into the app:")
    } else {
      output.say("Add this secret to an authenticator app; it is shown only once:")
    }
    output.say("  \(given.secret)")
    output.say("  \(given.uri)")
    output.say("Store these recovery codes; each works once instead of the app:")
    for code in given.recoveryCodes { output.say("  \(code)") }
  }
}
