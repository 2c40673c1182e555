/// A coarse browser name that is sufficient for its owner to recognise it: `Firefox · Linux`.
enum BrowserName {
  /// In order of precedence: browsers further down are also named in the `User-Agent` of earlier ones.
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
  /// - Returns: nil if the header contains no known name.
  static func coarse(_ agent: String?) -> String? {
    guard let agent = agent?.prefix(500) else { return nil }
    let names = [browsers, systems].compactMap { list in
      list.first { agent.contains($0.mark) }?.name
    }
    return names.isEmpty ? nil : names.joined(separator: " · ")
  }
}
