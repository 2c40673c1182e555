import Service

/// The elements of a page from which other sites make a preview of a link (Open Graph, ogp.me).
struct ShareTags {
  /// The picture of a preview: its address, and a text for readers who do not see it.
  struct Picture {
    let url: String
    let words: String
  }

  let title, description: String
  /// The complete address of the page.
  let url: String
  let picture: Picture
  /// The name of the instance.
  let site: String
  let language: String

  /// The size of every picture in pixels; the proportions that most sites show uncropped.
  static let width = 1_200
  static let height = 630

  /// The paths of pictures. `Cards` draws them.
  static func devicePicture(_ id: String) -> String { "/api/cards/devices/\(id).png" }
  static func placePicture(_ id: Int64) -> String { "/api/cards/places/\(id).png" }
  static func mappingDayPicture(_ id: String) -> String { "/api/cards/mapping-days/\(id).png" }
  static let statisticsPicture = "/api/cards/statistics.png"

  var html: HTML {
    let properties = [
      ("og:type", "website"), ("og:site_name", site), ("og:title", title),
      ("og:description", description), ("og:url", url),
      ("og:locale", language == "pt" ? "pt_PT" : "en_GB"), ("og:image", picture.url),
      ("og:image:type", "image/png"), ("og:image:width", "\(Self.width)"),
      ("og:image:height", "\(Self.height)"), ("og:image:alt", picture.words),
    ].map { name, content in "\n<meta property=\"\(name)\" content=\"\(content)\">" as HTML }
    return
      "<meta name=\"twitter:card\" content=\"summary_large_image\">\(HTML(joining: properties))"
  }
}
