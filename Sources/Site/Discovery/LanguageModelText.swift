import Service
import WebServer

/// `/llms.txt`: a short introduction for language models and the programs that use them (llmstxt.org).
struct LanguageModelText {
  /// The name of the instance.
  let name: String
  let addresses: Addresses

  static let path = "/llms.txt"

  func add(to router: inout Router) {
    router.get(Self.path) { _ in
      return Response(
        headers: ["Content-Type": "text/markdown; charset=utf-8"],
        body: .bytes(Array(text.utf8))
      )
      .with("Cache-Control", "public, max-age=86400")
    }
  }

  private var text: String {
    """
    # \(name)

    > An open map of connected devices around us: the kind of each device, the personal data that it
    > collects, its operator, and the rights of the people whose data it collects.

    Records come from people and from open lists. A record says how sure it is (`status`, `claims`) and how
    precise its position is (`precision`). Each record names its source and its licence: credit both.

    ## Data

    - [Interface](\(addresses.url("/api/docs"))): every operation with examples
    - [OpenAPI document](\(addresses.url("/api/openapi.json"))): the same for programs
    - [Devices](\(addresses.url("/api/collections/devices/items?limit=10"))): GeoJSON, with filters such as
      `bbox`, `category`, `country` and `q`
    - [Vocabulary](\(addresses.url("/api/taxonomies"))): the meaning of each code
    - [Catalogue](\(addresses.url("/api/catalogue"))): all data sets with licences and files

    ## Explanations

    - [How devices collect data](\(addresses.url("/learn"))): each kind of device
    - [Glossary](\(addresses.url("/learn/glossary"))): the terms of the map
    - [Help](\(addresses.url("/help"))): what one does on the map
    - [About](\(addresses.url("/about"))): licences, sources and downloads

    """
  }
}
