/// The citation of a snapshot, as a Citation File (CFF 1.2.0) or for BibTeX.
struct SnapshotCitation {
  enum Format: String, CaseIterable {
    case cff, bib

    var mediaType: String {
      switch self {
      case .cff: "application/yaml"
      case .bib: "application/x-bibtex"
      }
    }
  }

  /// The name of the instance.
  let name: String
  let day: String
  let edition: Int64
  let url: String
  let licences: String

  func text(_ format: Format) -> String {
    switch format {
    case .cff: cff
    case .bib: bibTeX
    }
  }

  private var title: String { "\(name): devices, snapshot of \(day)" }

  /// A file gets a new edition when a device is removed from it.
  private var version: String { "\(day), edition \(edition)" }

  private var cff: String {
    """
    cff-version: 1.2.0
    message: "Please cite this data set as below."
    type: dataset
    title: \(Self.quoted(title))
    authors:
      - name: \(Self.quoted(name))
    version: \(Self.quoted(version))
    date-released: \(day)
    url: \(Self.quoted(url))
    abstract: \(Self.quoted("All public devices on \(day). Licences of the records: \(licences)."))

    """
  }

  /// A text in double quotes, as in YAML 1.2 §7.3.1. Names and licences are single lines.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  private var bibTeX: String {
    """
    @misc{farol-\(day),
      title = {\(Self.braced(title))},
      author = {{\(Self.braced(name))}},
      year = {\(day.prefix(4))},
      version = {\(version)},
      howpublished = {\\url{\(url)}},
      note = {Licences of the records: \(Self.braced(licences))}
    }

    """
  }

  /// A text inside braces: the special characters of TeX are escaped, and no brace is left alone.
  private static func braced(_ text: String) -> String {
    var result = ""
    for letter in text {
      switch letter {
      case "\\": result += "\\textbackslash{}"
      case "{", "}", "$", "&", "#", "%", "_": result += "\\\(letter)"
      case "~": result += "\\textasciitilde{}"
      case "^": result += "\\textasciicircum{}"
      default: result.append(letter)
      }
    }
    return result
  }
}
