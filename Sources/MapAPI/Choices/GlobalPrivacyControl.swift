import JSON
import WebServer

/// `/.well-known/gpc.json`: this instance honours Global Privacy Control.
///
/// Nothing is sold or shared and nothing is logged about people that need not be, whether a browser
/// sends `Sec-GPC: 1` or not; so no answer differs.
enum GlobalPrivacyControl {
  /// The day on which what is said here was true first.
  private static let lastUpdate = "2026-11-21"

  static let endpoint = Endpoint(
    "getGlobalPrivacyControl", "/.well-known/gpc.json", tag: "Choices",
    summary: "That Global Privacy Control is honoured.",
    answers: [.ok("That it is.", schema: "globalPrivacyControl")]
  ) { _ in
    var response = Response.json(["gpc": true, "lastUpdate": .string(lastUpdate)])
    response.headers.merge("Vary", "Sec-GPC")
    response.headers.setDefault("Cache-Control", "public, max-age=86400")
    return response
  }
}
