/// Selects a media type by the `f` parameter and the Accept header.
package struct ContentNegotiation: Sendable {
  /// An available media type and its value for `f`.
  package struct Offer: Sendable {
    /// Such as `json`.
    package var format: String
    /// Such as `application/geo+json`.
    package var mediaType: String

    package init(_ format: String, _ mediaType: String) {
      self.format = format
      self.mediaType = mediaType
    }
  }

  /// In the order of the server's preference.
  package var offers: [Offer]

  package init(_ offers: [Offer]) { self.offers = offers }

  /// The best offer for `request`. `f` takes precedence over Accept (add `f` to the query names of the route). The
  /// response should carry `Vary: Accept`.
  ///
  /// - Throws: ``Problem``: 400 for an unknown `f`, 406 if Accept allows none of the offers.
  package func choose(for request: Request) throws(Problem) -> Offer {
    if let format = request.query["f"] {
      guard let offer = offers.first(where: { $0.format == format }) else {
        throw .badField("f", "`f` is one of \(offers.map(\.format).joined(separator: ", ")).")
      }
      return offer
    }
    let accepted = request.headers.values("Accept").joined(separator: ",")
    guard let first = offers.first, !accepted.trimmed.isEmpty else {
      if let offer = offers.first { return offer }
      throw .badField("f", "No format is available here.")
    }
    let ranges = WeightedValue.list(accepted)
    var best = first
    var bestQuality = 0.0
    for offer in offers {
      let quality = Self.quality(of: offer.mediaType, in: ranges)
      if quality > bestQuality {
        best = offer
        bestQuality = quality
      }
    }
    guard bestQuality > 0 else {
      let types = offers.map(\.mediaType).joined(separator: ", ")
      throw Problem(.notAcceptable, "Accept allows none of \(types).")
    }
    return best
  }

  /// Whether the Accept header names a media type itself, not only a range such as `*/*`.
  package static func names(_ mediaType: String, _ request: Request) -> Bool {
    let accepted = request.headers.values("Accept").joined(separator: ",")
    return WeightedValue.list(accepted).contains { range in
      range.quality > 0 && range.value.lowercased() == mediaType
    }
  }

  /// The weight of the most specific range that covers `mediaType` (RFC 9110 §12.5.1).
  private static func quality(of mediaType: String, in ranges: [WeightedValue]) -> Double {
    let type = mediaType.prefix { $0 != ";" }.trimmed.lowercased()
    let family = type.prefix { $0 != "/" }
    var specificity = 0
    var quality = 0.0
    for range in ranges {
      let name = range.value.lowercased()
      let rank = name == type ? 3 : name == "\(family)/*" ? 2 : name == "*/*" ? 1 : 0
      if rank > specificity || rank == specificity && rank > 0 && range.quality > quality {
        specificity = rank
        quality = range.quality
      }
    }
    return quality
  }
}
