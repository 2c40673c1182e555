import ArgumentParser
import Foundation

/// `farol basemap`: creates street-level tiles of an area from an OpenStreetMap extract.
struct BaseMapCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "basemap",
    abstract: "Create street-level tiles from an OpenStreetMap extract, for FAROL_STREETS.")

  @OptionGroup var options: CommonOptions
  @Argument(help: "An extract in PBF, such as madeira.osm.pbf.") var extract: String
  @Option(help: "The MBTiles file to create.") var output = "data/streets/streets.mbtiles"

  func run() throws {
    let reader = SettingReader(environment: ProcessInfo.processInfo.environment)
    let home = try Home(named: reader.text(options.home, "FAROL_HOME"))
    guard FileManager.default.isReadableFile(atPath: extract) else {
      throw CommandFailure("there is no file “\(extract)”")
    }
    let script = home.folder.appendingPathComponent("setup/streets.sh")
    let process = Process()
    process.executableURL = script
    process.arguments = [extract, output]
    // The script builds the street graph with this program.
    process.environment = ProcessInfo.processInfo.environment.merging(
      ["FAROL_PROGRAM": URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path]
    ) { $1 }
    do { try process.run() } catch {
      throw CommandFailure("\(script.path) cannot be run: \(error.localizedDescription)")
    }
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CommandFailure("the tiles could not be created; see the output of tilemaker above")
    }
    print(
      "\(output) is ready. Restart Farol: it serves every file in the folder streets "
        + "beside its database.")
  }
}
