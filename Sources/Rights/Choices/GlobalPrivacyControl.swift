import Service
import WebServer

/// `/.well-known/gpc.json`: this instance honours Global Privacy Control.
///
/// The instance sells and shares no data and logs no unnecessary data about people, with or without
/// `Sec-GPC: 1`. The header therefore changes no response.
enum GlobalPrivacyControl {
  /// The first day on which this statement was true.
  private static let lastUpdate = "2026-11-21"

  static let shape = JSONShape<String>(
    "globalPrivacyControl", .flag("gpc") { _ in true }, .day("lastUpdate", \.self))

  static let endpoint = Endpoint(
    "getGlobalPrivacyControl", "/.well-known/gpc.json", tag: "Choices",
    summary: "The statement that Global Privacy Control is honoured.",
    answers: [.ok("The statement.", schema: "globalPrivacyControl")]
  ) { _ in
    var response = Response.json(lastUpdate, as: shape)
    response.headers.merge("Vary", "Sec-GPC")
    response.headers.setDefault("Cache-Control", "public, max-age=86400")
    return response
  }
}
