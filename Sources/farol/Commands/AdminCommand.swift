import ArgumentParser
import Foundation
import JSON
import MapAPI

/// `farol admin`: accounts, from the machine that the instance runs on.
struct AdminCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "admin", abstract: "Look after accounts.",
    subcommands: [Create.self, Promote.self, ResetPassword.self])

  /// `farol admin create`.
  struct Create: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make an admin, and show the second factor to be given to an app.")

    @OptionGroup var options: CommonOptions
    @Option(help: "What the admin is called, in public.") var username: String
    @Option(help: "Where mail to the admin goes.") var email: String
    @Flag(help: "Read the password from standard input, not from the terminal.")
    var passwordStdin = false

    func run() throws {
      let password = try PasswordPrompt(readsInput: passwordStdin).newPassword()
      try AdminCommand.run(
        "admin create", options,
        ["username": .string(username), "email": .string(email), "password": .string(password)])
    }
  }

  /// `farol admin promote`.
  struct Promote: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Give an account another role; it has to sign in anew.")

    @OptionGroup var options: CommonOptions
    @Option(help: "What the account is called.") var username: String
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
    @Option(help: "What the account is called.") var username: String
    @Flag(help: "Read the password from standard input, not from the terminal.")
    var passwordStdin = false
    @Flag(help: "Make a new second factor too, where the app and the codes were lost.")
    var secondFactor = false

    func run() throws {
      let password = try PasswordPrompt(readsInput: passwordStdin).newPassword()
      try AdminCommand.run(
        "admin reset-password", options,
        [
          "username": .string(username), "password": .string(password),
          "second_factor": .bool(secondFactor),
        ])
    }
  }

  private static func run(
    _ name: String, _ options: CommonOptions, _ arguments: JSONValue
  ) throws {
    let environment = ProcessInfo.processInfo.environment
    let reader = SettingReader(environment: environment)
    try RemoteCommand(name, arguments).run(
      on: reader.text(options.database, "FAROL_DATABASE") ?? "data/farol.db",
      home: Home(named: reader.text(options.home, "FAROL_HOME")), environment: environment)
  }
}

/// What `farol admin` asks for, done on an open instance.
struct AdminWork {
  let name: String
  let arguments: JSONValue

  private var username: String { arguments["username"]?.stringValue ?? "" }
  private var password: String { arguments["password"]?.stringValue ?? "" }

  func run(_ app: App, output: CommandOutput) throws {
    let powers = AccountPowers(app: app)
    do {
      switch name {
      case "admin create":
        let given = try powers.createAdmin(
          username: username, email: arguments["email"]?.stringValue ?? "", password: password)
        output.say("\(username) is an admin")
        Self.show(given, output)
      case "admin promote":
        let role = arguments["role"]?.stringValue.flatMap(Role.init(rawValue:)) ?? .contributor
        try powers.changeRole(of: username, to: role)
        output.say("\(username) has the role \(role.rawValue)")
      default:
        let given = try powers.resetPassword(
          of: username, to: password,
          renewsSecondFactor: arguments["second_factor"]?.boolValue ?? false)
        output.say("\(username) has a new password; every session and token has ended")
        if let given { Self.show(given, output) }
      }
    } catch let failure as AccountPowers.Failure {
      throw CommandFailure(failure.description)
    }
  }

  private static func show(
    _ given: AccountPowers.SecondFactorGiven, _ output: CommandOutput
  ) {
    output.say("Give an authenticator app this secret; it is shown this once:")
    output.say("  \(given.secret)")
    output.say("  \(given.uri)")
    output.say("Keep these recovery codes; each lets in once without the app:")
    for code in given.recoveryCodes { output.say("  \(code)") }
  }
}
