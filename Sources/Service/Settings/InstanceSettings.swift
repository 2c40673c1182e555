package import PrivacyMap
package import SafeFetch

/// The settings of an instance that the API needs.
package struct InstanceSettings: Sendable {
  /// The initial view of the map.
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

  /// A base map from a server of a third party.
  package struct ForeignTiles: Sendable {
    /// With `{z}`, `{x}` and `{y}`.
    package let url: String
    /// The host that receives visitors' IP addresses; pages name it.
    package let host: String
    /// `https://host`, for the content security policy.
    package let origin: String
    package let attribution: String
    /// The highest zoom with tiles; the map enlarges them beyond it.
    package let deepest: Int

    package init(
      url: String, host: String, origin: String, attribution: String, deepest: Int = 19
    ) {
      self.url = url
      self.host = host
      self.origin = origin
      self.attribution = attribution
      self.deepest = deepest
    }
  }

  package var name = "Farol"
  package var contact: String?
  /// Licence of the data that users add to this instance.
  package var licence = "ODbL-1.0"
  package var view = View.world
  package var foreignTiles: ForeignTiles?
  /// Aerial images of another server, which visitors may switch on.
  package var foreignSatellite: ForeignTiles?
  /// The attribution of ``Folders/satellite``, instead of the one in the file.
  package var satelliteAttribution: String?
  /// The minimum number of people in published figures about people; at least ten.
  package var peopleMinimum = 1_000
  /// The number of backups to keep, if backups are configured.
  package var backups = BackupRules()
  /// The maximum seconds that the costly reads of one network may run in a minute; 0 for no limit.
  package var readSeconds = 20
  /// The maximum number of clients that listen to live changes at once.
  package var liveListeners = 2_048
  /// The minutes that a volunteer has for the answer to an offer.
  package var visitMinutes = 30
  /// For tests only: a server on this machine that replaces the web sites of organisations.
  package var siteLoopback: PublicFile.Loopback?
  /// The contact for reporting vulnerabilities; nil if none is configured.
  package var securityContact: SecurityContact?

  package init() {}
}
