import Accounts
import DevicePhotos
import Devices
import Moderation
import Lists
import MappingDays
import Operations
import PrivacyMap
import Reading
import Reference
import Rights
package import Service
import Site
import SpatialDatabase
import Visits
import Watching

extension App {
  /// The kinds of features, in the order of ``features``.
  static let kinds: [any Feature.Type] = [
    Documentation.self, Collections.self, DeviceRecords.self, HistoryRoutes.self,
    VerificationRoutes.self, Photos.self, ModerationFeature.self, TileRoutes.self,
    StatisticsRoutes.self, ExportRoutes.self, Snapshots.self, NightlyTiles.self,
    CatalogueRoutes.self, FeedRoutes.self, LiveRoutes.self, CellChangeRoutes.self, SignRoutes.self,
    CardRoutes.self, PlaceRoutes.self, TaxonomyRoutes.self, SettingsRoutes.self,
    BaseMapRoutes.self, Countries.self, HealthRoutes.self, Monitoring.self, Accounts.self,
    Profiles.self, Administration.self, Imports.self, ImportSchedules.self,
    DeviceProposals.self,
    CollectionAdminRoutes.self, Choices.self, Letters.self, Outcomes.self, PeopleStatistics.self,
    RecordRequests.self, Organisations.self, Watches.self, Visits.self, Research.self,
    Safekeeping.self, MappingDays.self,
  ]

  /// All retention periods of personal data. Data that a user deletes personally has no period.
  package static var retention: [RetentionRule] { kinds.flatMap { $0.retention } }

  /// The background jobs. Jobs that erase data also record the number of erased rows.
  private var jobs: [Job] {
    let retention = Retention(Self.retention, database: database, environment: environment)
    let sweeps = Set(retention.rules.map(\.job))
    return features.flatMap { $0.jobs }.map { job in
      guard sweeps.contains(job.kind) else { return job }
      return Job(job.kind, every: job.every, isLong: job.isLong) {
        try retention.noting(job.kind, job.work, $0)
      }
    }
  }

  /// The handlers of jobs, by kind.
  package var works: [String: JobRunner.Work] {
    Dictionary(jobs.map { ($0.kind, $0.work) }) { first, _ in first }
  }

  /// Kinds of jobs that take so long that they run apart from the other jobs.
  package var longWorks: Set<String> { Set(jobs.filter(\.isLong).map(\.kind)) }

  /// Kinds of jobs that repeat, with their intervals.
  package var repeatedWorks: [String: Duration] {
    Dictionary(jobs.compactMap { job in job.every.map { (job.kind, $0) } }) { first, _ in first }
  }
}
