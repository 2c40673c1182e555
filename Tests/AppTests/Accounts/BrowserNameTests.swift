@testable import Accounts
import Testing

@Suite struct BrowserNameTests {
  @Test(arguments: [
    ("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Firefox · Linux"),
    (
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36",
      "Chrome · Windows"
    ),
    (
      "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0",
      "Edge · Windows"
    ),
    (
      "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1",
      "Safari · iOS"
    ),
    (
      "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36",
      "Chrome · Android"
    ),
    ("curl/8.5.0", "curl"),
  ])
  func `a browser is named by its product and system only`(agent: String, name: String) {
    #expect(BrowserName.coarse(agent) == name)
  }

  @Test func `unknown parts are left out`() {
    #expect(BrowserName.coarse(nil) == nil)
    #expect(BrowserName.coarse("ana@example.org") == nil)
    #expect(BrowserName.coarse(String(repeating: "x", count: 600) + "Firefox/1") == nil)
  }
}
