/// The reference data that set-up makes as files.
package struct ReferenceFiles: Sendable {
  /// The gazetteer; nil if set-up has not made it.
  package let places: PlaceStore?
  /// The streets and addresses of the street maps.
  package let addresses: AddressStore

  package init(places: PlaceStore?, addresses: AddressStore) {
    (self.places, self.addresses) = (places, addresses)
  }
}
