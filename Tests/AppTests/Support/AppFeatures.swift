import Accounts
import App
import DevicePhotos
import Devices
import Downloads
import Import
import Lists
import MappingDays
import Moderation
import Operations
import Operators
import PrivacyMap
import Reading
import Rights
import Service
import Visits
import Watching

/// The features and parts that tests call without the HTTP interface.
extension App {
  /// The feature of a type, which every instance has.
  private func feature<Kind: Feature>(_ kind: Kind.Type = Kind.self) -> Kind {
    for case let feature as Kind in features { return feature }
    preconditionFailure("no feature \(kind)")
  }

  var accounts: Accounts { feature() }
  var choices: Choices { feature() }
  var commonRequests: CommonRequests { feature() }
  var collectionImports: CollectionAdminRoutes { feature() }
  var countries: CountryMap? { map.countries }
  var dataRequests: RecordRequests { feature() }
  var erasures: ErasureList { safekeeping.erasures }
  var importSchedules: ImportSchedules { feature() }
  var imports: Imports { feature() }
  var mailSeal: MailSeal { instance.mailSeal }
  var mappingDays: MappingDays { feature() }
  var nightlyTiles: NightlyTiles { feature() }
  var moderation: ModerationFeature { feature() }
  var organisations: Organisations { feature() }
  var outcomes: OutcomePublication { feature(Outcomes.self).publication }
  var people: PeoplePublication { feature(PeopleStatistics.self).people }
  var photos: Photos { feature() }
  var profiles: ProfilePublication { feature(Profiles.self).publication }
  var safekeeping: Safekeeping { feature() }
  var snapshots: Snapshots { feature() }
  var visits: Visits { feature() }
  var watches: Watches { feature() }
}
