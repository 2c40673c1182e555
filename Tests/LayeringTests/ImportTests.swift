import Foundation
import Testing

/// Imports point down, and every C library stays behind one target.
@Suite struct ImportTests {
  /// One import line.
  private struct Line {
    let target: String
    let file: String
    /// `package`, `internal`, `private` …; empty when none is written.
    let access: String
    let module: String
  }

  private let lines: [Line]

  init() throws {
    lines = try Repository.files(in: "Sources", endingIn: [".swift"]).flatMap { file in
      let target = String(file.path.split(separator: "/")[1])
      return file.lines.compactMap { Self.line($0, target: target, file: file.path) }
    }
  }

  private static let accesses: Set<Substring> = ["package", "internal", "private", "public"]

  private static func line(_ text: Substring, target: String, file: String) -> Line? {
    var words = text.split(separator: " ").filter { !$0.hasPrefix("@") }
    let access = words.first.flatMap { accesses.contains($0) ? String($0) : nil } ?? ""
    if !access.isEmpty { words.removeFirst() }
    guard words.first == "import", words.count > 1 else { return nil }
    words.removeFirst()
    let kinds: Set<Substring> = ["struct", "class", "enum", "func", "protocol", "typealias", "var"]
    if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
    guard let module = words.first?.split(separator: ".").first else { return nil }
    return Line(target: target, file: file, access: access, module: String(module))
  }

  @Test func `every target has a layer`() {
    #expect(Set(lines.map(\.target)).subtracting(Layers.height.keys).isEmpty)
    #expect(lines.count > 100)
  }

  @Test func `imports point down`() {
    for line in lines where !Layers.system.contains(line.module) {
      if let owners = Layers.owners[line.module] {
        #expect(owners.contains(line.target), "\(line.file) imports \(line.module)")
      } else {
        let own = Layers.height[line.target] ?? 0
        let other = Layers.height[line.module] ?? .max
        #expect(other < own, "\(line.file) imports \(line.module)")
      }
    }
  }

  @Test func `the target of the map does no input or output`() {
    for line in lines where line.target == "PrivacyMap" {
      // For mathematics, for atomic numbers and for locks.
      let isFree = ["Glibc", "Synchronization", "Locking"].contains(line.module)
      #expect(isFree, "\(line.file) imports \(line.module)")
    }
  }

  @Test func `C libraries are imported internally, each by its own targets`() {
    for module in Layers.owners.keys where module.hasPrefix("C") {
      let imports = lines.filter { $0.module == module }
      #expect(!imports.isEmpty, "\(module)")
      for line in imports {
        let isInside = ["", "internal", "private"].contains(line.access)
        #expect(isInside, "\(line.file) shows \(module) to others")
      }
    }
  }

  @Test func `Sources has a folder for each target, and one for all C libraries`() throws {
    let sources = Repository.root.appendingPathComponent("Sources").path
    let folders = Set(try FileManager.default.contentsOfDirectory(atPath: sources))
    #expect(folders == Set(Layers.height.keys).union(["C"]))
    let libraries = Set(try FileManager.default.contentsOfDirectory(atPath: sources + "/C"))
    #expect(libraries == Set(Layers.owners.keys).subtracting(["ArgumentParser", "Logging"]))
  }

  @Test func `locks come from Locking, which the thread sanitizer observes`() throws {
    for file in try Repository.files(in: "Sources", endingIn: [".swift"])
    where !file.path.hasPrefix("Sources/Locking/") && !file.path.hasSuffix("/BareLocking.swift") {
      for (number, line) in file.lines.enumerated() {
        for name in [" Mutex(", " Mutex<", "NSLock", "pthread_mutex"] {
          #expect(!line.contains(name), "\(file.path):\(number + 1)")
        }
      }
    }
  }

  @Test func `the manifest declares only the dependencies that are imported`() throws {
    for (target, declared) in try Layers.dependencies() {
      let imported = Set(lines.filter { $0.target == target }.map(\.module))
      #expect(declared.subtracting(imported).isEmpty, "\(target)")
    }
  }
}
