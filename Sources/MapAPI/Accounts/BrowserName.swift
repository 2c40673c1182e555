/// What a browser calls itself, as coarse as its owner needs to know it again: `Firefox · Linux`.
enum BrowserName {
  /// The first that a `User-Agent` holds: later ones are claimed by those before them.
  private static let browsers: [(mark: String, name: String)] = [
    ("Edg", "Edge"), ("OPR/", "Opera"), ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"), ("Firefox/", "Firefox"), ("FxiOS/", "Firefox"), ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"), ("Chrome/", "Chrome"), ("Safari/", "Safari"), ("curl/", "curl"),
  ]
  private static let systems: [(mark: String, name: String)] = [
    ("Android", "Android"), ("iPhone", "iOS"), ("iPad", "iOS"), ("CrOS", "ChromeOS"),
    ("Windows", "Windows"), ("Macintosh", "macOS"), ("Linux", "Linux"),
  ]

  /// - Parameter agent: the header `User-Agent`.
  /// - Returns: nil where it names nothing that is known.
  static func coarse(_ agent: String?) -> String? {
    guard let agent = agent?.prefix(500) else { return nil }
    let names = [browsers, systems].compactMap { list in
      list.first { agent.contains($0.mark) }?.name
    }
    return names.isEmpty ? nil : names.joined(separator: " · ")
  }
}
