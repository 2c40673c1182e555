import Foundation

/// An address search of a few streets, made by the script of set-up.
enum TestAddresses {
  static func make(in folder: URL) throws {
    let streets = folder.appendingPathComponent("streets")
    try FileManager.default.createDirectory(at: streets, withIntermediateDirectories: true)
    let features = streets.appendingPathComponent("features")
    try Data(lines().utf8).write(to: features)
    defer { try? FileManager.default.removeItem(at: features) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "python3", "-B", Repository.root.appendingPathComponent("setup/addresses.py").path,
      "--output",
      streets.appendingPathComponent("test.addresses.db").path,
    ]
    process.standardInput = try FileHandle(forReadingFrom: features)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ScriptFailed() }
  }

  struct ScriptFailed: Error {}

  private static func lines() -> String {
    houses.map { street, number, postcode, town, longitude, latitude in
      """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[\(longitude),\(latitude)]},"properties":\
      {"addr:street":"\(street)","addr:housenumber":"\(number)","addr:postcode":"\(postcode)",\
      "addr:city":"\(town)"}}
      """
    }.joined(separator: "\n")
  }

  private static let houses = [
    ("Hauptstrasse", "12", "9490", "Vaduz", 9.521, 47.141),
    ("Hauptstrasse", "14a", "9490", "Vaduz", 9.5215, 47.1415),
    ("Hauptstrasse", "130;132", "9490", "Vaduz", 9.522, 47.142),
    ("Hauptstrasse", "12", "9494", "Schaan", 9.509, 47.169),
    ("Königstraße", "3", "10178", "Berlin", 13.4, 52.52),
    ("Karl-Marx-Straße", "5", "12043", "Berlin", 13.43, 52.48),
    ("Rua Augusta", "7", "1100-053", "Lisboa", -9.137, 38.71),
    ("Avenida da República", "1", "1050-191", "Lisboa", -9.145, 38.735),
    ("South Main Street", "10", "17034", "Highspire", -76.79, 40.21),
    ("East 33rd Street", "33", "21218", "Baltimore", -76.61, 39.328),
  ]
}
