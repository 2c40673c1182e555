import ArgumentParser
import Foundation

/// An invalid setting, with a sentence for the person who starts the program.
struct InvalidSetting: Error, CustomStringConvertible {
  let name: String
  let problem: String

  var description: String { "\(name): \(problem)" }
}

extension Option where Value == String? {
  /// A setting: `help` names its environment variable, after which the flag is named, `--base-url` for
  /// `FAROL_BASE_URL`, unless it has a `name`. `value` is the name of its value in the help.
  init(_ help: String, _ value: String? = nil, name: String? = nil) {
    let variable = help.firstMatch(of: /FAROL_([A-Z_]+)/).map { String($0.1) } ?? ""
    let flag = variable.lowercased().split(separator: "_").joined(separator: "-")
    self.init(
      name: .customLong(name ?? flag), help: ArgumentHelp("\(help)", valueName: value))
  }
}

/// Settings of every command. Each is a flag or an environment variable of the same name.
struct CommonOptions: ParsableArguments {
  @Option(
    "The database file, or a URL postgresql://… (FAROL_DATABASE; default data/farol.db).", "file")
  var database: String?

  @Option(
    "The folder of local files if the database is PostgreSQL (FAROL_STATE; default data).", "folder"
  )
  var state: String?

  @Option("The folder of photos (FAROL_MEDIA; default: media beside the database).", "folder")
  var media: String?

  @Option(
    """
    The folder that holds public, migrations and seed (FAROL_HOME; default: the current folder, else where the \
    program lies).
    """, "folder")
  var home: String?

  @Option(
    """
    Log lines as text, json or journal (FAROL_LOG; default: journal where they go to that of systemd, else \
    text).
    """, "format")
  var log: String?
}

/// Reads settings: flags take precedence over environment variables, and these over defaults.
struct SettingReader {
  let environment: [String: String]

  /// The flag, or otherwise the variable `FAROL_…` unless it is empty.
  func text(_ flag: String?, _ variable: String) -> String? {
    if let flag { return flag }
    guard let value = environment[variable], !value.isEmpty else { return nil }
    return value
  }

  /// An integer in `range`.
  func integer(
    _ flag: String?, _ variable: String, in range: ClosedRange<Int>, byDefault: Int
  ) throws -> Int {
    guard let text = text(flag, variable) else { return byDefault }
    guard let number = Int(text), range.contains(number) else {
      throw InvalidSetting(
        name: variable,
        problem: "“\(text)” is not a whole number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }
}
