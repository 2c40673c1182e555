import Accounts
import Contributions
import DevicePhotos
import Devices
import Downloads
import Lists
import MappingDays
import Moderation
import Operations
import Operators
import Reading
import Reference
import Rights
package import Service
import Site
import Streets
import Visits
import Watching

extension App {
  /// All features of an instance, in the order of the documentation. A new feature is added only here.
  package static let kinds: [any Feature.Type] = [
    Documentation.self, Collections.self, DeviceRecords.self, WritingRoutes.self,
    HistoryRoutes.self,
    VerificationRoutes.self, Photos.self, ModerationFeature.self, TileRoutes.self,
    StatisticsRoutes.self, ExportRoutes.self, Snapshots.self, NightlyTiles.self,
    CatalogueRoutes.self, FeedRoutes.self, LiveRoutes.self, CellChangeRoutes.self, SignRoutes.self,
    CardRoutes.self, PlaceRoutes.self, TaxonomyRoutes.self, SettingsRoutes.self,
    BaseMapRoutes.self, StreetGraphRoutes.self, Countries.self, HealthRoutes.self, Monitoring.self,
    Accounts.self,
    Profiles.self, Administration.self, Imports.self, ImportSchedules.self,
    DeviceProposals.self,
    CollectionAdminRoutes.self, Choices.self, Letters.self, Outcomes.self, PeopleStatistics.self,
    RecordRequests.self, Organisations.self, Watches.self, Visits.self, Research.self,
    Safekeeping.self, MappingDays.self, NamedOperators.self, CommonRequests.self,
    ReleaseFiles.self, PageErrors.self,
  ]
}

extension App {
  /// All retention periods of personal data. Data that a user deletes personally has no period.
  package static var retention: [RetentionRule] { kinds.flatMap { $0.retention } }
}
