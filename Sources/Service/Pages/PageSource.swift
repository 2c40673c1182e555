import WebServer

/// Assembles the source of a page. Parts shared by all pages are in `parts/`, and each page names only
/// its entry script.
///
/// `{{head}}` and `{{bar}}` are replaced by the files of that name in `parts/`. `{{script js/about.js}}`
/// is replaced by the element that loads the script, `{{preload js/about.js}}` by one that fetches it early. Built pages
/// contain all this already.
struct PageSource {
  let files: StaticFiles

  /// - Returns: nil if there is no such file.
  func page(_ file: String) -> String? {
    guard let page = text(file) else { return nil }
    return filled(page)
  }

  private func text(_ file: String) -> String? {
    files[file].map { String(decoding: $0.bytes, as: UTF8.self) }
  }

  private func filled(_ source: String) -> String {
    Placeholders.pieces(of: source).reduce(into: "") { filled, piece in
      switch piece {
      case .text(let text): filled += text
      case .placeholder(let name): filled += replacement(name) ?? "{{\(name)}}"
      }
    }
  }

  /// Nil for placeholders that are filled later.
  private func replacement(_ name: String) -> String? {
    let words = name.split(separator: " ")
    guard words.count == 2 else { return text("parts/\(name).html") }
    return switch words[0] {
    case "script": #"<script type="module" src="{{assets}}/\#(words[1])"></script>"#
    case "preload":
      #"<link rel="modulepreload" href="{{assets}}/\#(words[1])" fetchpriority="low">"#
    default: nil
    }
  }
}
