import App
import Foundation
import JSON
import Logging
import Lists
import Service
import SpatialDatabase

/// A command that writes. A running server executes it, otherwise this program does.
struct RemoteCommand {
  private let name: String
  private let arguments: JSONValue

  init(_ name: String, _ arguments: JSONValue) {
    self.name = name
    self.arguments = arguments
  }

  /// Parses a line from ``line``.
  init(_ request: JSONValue) throws {
    guard let name = request["command"]?.stringValue, let arguments = request["arguments"] else {
      throw CommandFailure("an unknown command")
    }
    self.init(name, arguments)
  }

  private var line: String {
    var json = JSONWriter()
    json.value(["command": .string(name), "arguments": arguments])
    return String(decoding: json.bytes, as: UTF8.self) + "\n"
  }

  /// Runs the command on the running server, or opens the database for it.
  ///
  /// - Throws: ``CommandFailure``, or an error of the command.
  func run(on database: DatabaseLocation, home: Home, environment: [String: String]) throws {
    if let channel = ControlChannel.connect(to: database.local) {
      defer { channel.close() }
      try send(on: channel)
      return
    }
    let opened = try InstanceDatabase.open(database, home: home, servesNobody: true)
    var logger = try LogFormat(nil, environment).logger
    // Messages about serving, such as a missing base map, are irrelevant here.
    logger.logLevel = .error
    var settings = InstanceSettings()
    settings.name = environment["FAROL_NAME"] ?? settings.name
    let app = try App(
      database: opened,
      folders: Folders(
        front: home.front, seed: home.seed, data: [database.folder, home.data]),
      settings: settings, addresses: Addresses(base: "http://127.0.0.1"), secure: false,
      environment: SystemEnvironment.make(environment), logger: logger)
    try run(app, home: home, output: .standard)
    app.stop()
    try opened.close()
  }

  private func send(on channel: ControlChannel) throws {
    channel.write(line)
    while let line = channel.readLine() {
      if line.hasPrefix("{\"exit\":") {
        guard line == "{\"exit\":0}" else { throw CommandFailure("the server command failed") }
        return
      }
      CommandOutput.standard.say(line)
    }
    throw CommandFailure("the connection to the server ended before the command was complete")
  }

  /// Runs the command on an open instance.
  func run(_ app: App, home: Home, output: CommandOutput) throws {
    switch name {
    case "import": try ImportWork(arguments, home: home).run(app, output: output)
    case "undo":
      try app.importAlone { _ in
        let report = try ImportUndo(map: app.map).undo(
          Int64(arguments["id"]?.intValue ?? 0), by: AuditStore.commandLine)
        output.say(
          "\(report.withdrawn) devices withdrawn, \(report.restored) restored, "
            + "\(report.kept) left because people have changed them")
      }
    case "generate":
      let count = arguments["devices"]?.intValue ?? 0
      let seed = UInt64(clamping: arguments["seed"]?.intValue ?? 0)
      try SyntheticWorld(app: app, seed: seed).add(count, progress: output.say)
    case let name where name.hasPrefix("admin "):
      try AdminWork(name: name, arguments: arguments).run(app, output: output)
    default: throw CommandFailure("unknown command: \(name)")
    }
  }
}
