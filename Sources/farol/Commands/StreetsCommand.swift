import ArgumentParser
import Foundation
import Import
import Streets

/// `farol streets`: builds the street graph of an area from an OpenStreetMap extract.
struct StreetsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streets",
    abstract: "Build the graph for quiet routes from an OpenStreetMap extract.",
    discussion:
      "Farol serves every file NAME.graph beside its street maps (FAROL_STREETS). See docs/how-to/streets.md."
  )

  @Argument(help: "An extract in PBF, such as madeira.osm.pbf.") var extract: String
  @Option(help: "The file to create (default: data/streets/NAME.graph).") var output: String?

  func run() throws {
    let output = output ?? "data/streets/\(Self.name(of: extract))\(StreetGraph.ending)"
    let folder = URL(fileURLWithPath: output).deletingLastPathComponent()
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    } catch {
      throw CommandFailure("the folder \(folder.path) cannot be created")
    }
    let start = ContinuousClock.now
    let summary: StreetBuilder.Summary
    do { summary = try StreetBuilder().build(extract: extract, output: output) } catch {
      throw CommandFailure("\(error)")
    }
    let seconds = ContinuousClock.now - start
    print(
      "\(output): \(summary.edges) edges between \(summary.nodes) nodes in \(summary.pieces) pieces, "
        + "\(summary.size / 1_000) kB, made in \(seconds.formatted(.units(allowed: [.seconds], fractionalPart: .show(length: 1))))."
    )
    if summary.cutWays > 0 {
      print(
        "\(summary.cutWays) streets lack some of their nodes, as at the border of an extract; their other parts are used."
      )
    }
    print("Restart Farol to use it.")
  }

  /// `liechtenstein` for `liechtenstein-latest.osm.pbf`, as setup/streets.sh names street maps.
  private static func name(of extract: String) -> String {
    var name = URL(fileURLWithPath: extract).lastPathComponent
    for ending in [".pbf", ".osm", "-latest"] where name.hasSuffix(ending) {
      name.removeLast(ending.count)
    }
    return name
  }
}
