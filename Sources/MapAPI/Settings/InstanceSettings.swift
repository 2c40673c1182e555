package import Mail
package import PrivacyMap

/// What whoever runs an instance decided, as far as the interface needs it.
package struct InstanceSettings: Sendable {
  /// Where the map opens.
  package struct View: Equatable, Sendable {
    package let center: Coordinate
    /// 0 through 22.
    package let zoom: Double

    package init(center: Coordinate, zoom: Double) {
      self.center = center
      self.zoom = zoom
    }

    /// The inhabited world.
    package static let world = View(center: .clamped(longitude: 0, latitude: 25), zoom: 1.4)
  }

  /// A base map of someone else's server.
  package struct ForeignTiles: Sendable {
    /// With `{z}`, `{x}` and `{y}`.
    package let url: String
    /// The host that will see visitors' addresses; pages name it.
    package let host: String
    /// `https://host`, for the content security policy.
    package let origin: String
    package let attribution: String

    package init(url: String, host: String, origin: String, attribution: String) {
      self.url = url
      self.host = host
      self.origin = origin
      self.attribution = attribution
    }
  }

  package var name = "Farol"
  package var contact: String?
  /// Licence of what people add here.
  package var licence = "ODbL-1.0"
  package var view = View.world
  package var foreignTiles: ForeignTiles?
  /// The fewest people that figures about people are given of; at least ten.
  package var peopleMinimum = 1_000
  /// How many backups are kept, where they are made.
  package var backups = Backups.Rules()
  /// A server on this machine that stands in for the web sites of organisations: for tests alone.
  package var siteLoopback: PublicFile.Loopback?
  /// Whom to tell about a weakness; nil: nobody is named.
  package var securityContact: SecurityContact?

  package init() {}
}
