import Foundation
package import Import
import JSON
package import Rights
package import Secrets
package import Service
package import WebServer

/// The files that an instance reads from the folders of the program at its start. Several instances of one process can
/// share them, because they never change. Reading them takes most of the start of a small instance.
package struct ProgramFiles: Sendable {
  package let pages: PageSources
  package let catalogue: Catalogue
  package let publicTags: PublicTags
  package let passwords: PasswordRules
  package let rights: RightsFiles
  package let learn: LearnTexts
  /// A digest of the program and of all these files; empty if no requests are served.
  package let version: String

  /// The files of the front, as the server sends them.
  package var front: StaticFiles { pages.files }

  /// - Throws: The error of the first folder that cannot be read or has an invalid file.
  package init(_ folders: Folders, isServed: Bool = true) throws {
    pages = PageSources(try FrontFiles.read(folders.front.path, isServed: isServed))
    catalogue = try Catalogue(folders: folders.words)
    let tags = folders.seed.appendingPathComponent("public-tags.json")
    publicTags = try PublicTags(JSONValue(parsing: [UInt8](Data(contentsOf: tags))))
    passwords = try PasswordRules(
      list: folders.seed.appendingPathComponent("passwords/common.txt"))
    rights = try RightsFiles(seed: folders.seed, catalogue: catalogue)
    learn = try LearnTexts(directory: folders.seed.appendingPathComponent("learn"))
    // Reading the whole program takes longer than a small import.
    version =
      isServed
      ? InstanceVersion.digest(of: [
        InstanceVersion.program, "\(pages.files.digest)", InstanceVersion.digest(of: folders.seed),
      ]) : ""
  }
}
