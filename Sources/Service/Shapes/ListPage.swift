package import JSON

/// One page of a list, as most responses with lists have it.
package struct ListPage: Sendable {
  package let items: [JSONValue]
  /// The cursor of the next page; nil on the last one.
  package let next: String?
  /// The number of items in each state, on all pages together.
  package let counts: JSONObject
  /// The ids of items that are due soon.
  package let due: [String]

  package init(
    _ items: [JSONValue], next: String?, counts: JSONObject = [:], due: [String] = []
  ) {
    self.items = items
    self.next = next
    self.counts = counts
    self.due = due
  }
}

extension JSONShape<ListPage> {
  /// A page with its items in the member `list`.
  package init(
    _ name: String, of item: JSONSchema, in list: String, hasCounts: Bool = false,
    hasDue: Bool = false
  ) {
    self.init(
      name,
      [Member(list, .list(of: item), \.items)]
        + (hasCounts ? [Member("counts", .countsByName, \.counts)] : [])
        + (hasDue ? [Member("due", .list(of: .uuid), \.due)] : []) + [.text("next", \.next)])
  }
}
