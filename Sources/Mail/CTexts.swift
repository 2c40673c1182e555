/// Provides C strings for the duration of `body`; nil stays nil.
func withTexts<T>(
  _ texts: [String?], _ body: ([UnsafePointer<CChar>?]) -> T
) -> T {
  func lend(_ rest: ArraySlice<String?>, _ lent: [UnsafePointer<CChar>?]) -> T {
    guard let first = rest.first else { return body(lent) }
    guard let text = first else { return lend(rest.dropFirst(), lent + [nil]) }
    return text.withCString { lend(rest.dropFirst(), lent + [$0]) }
  }
  return lend(texts[...], [])
}
