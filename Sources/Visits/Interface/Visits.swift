import Devices
import JSON
import Moderation
import PrivacyMap
package import Service
import SpatialDatabase

/// Visits: the map requests a check of a device and offers the visit to one volunteer after another
/// (docs/reference/visits.md).
package struct Visits: Feature {
  let database: Database
  let environment: Environment
  let catalogue: Catalogue
  let workflow: VisitWorkflow
  let asking: VisitAsking
  let forms: VisitForms
  let flags: PersonFlags
  let hub: VisitHub
  private let clock: VisitClock

  static let tag = "Visits"
  static let path = "/api/visits"

  package init(_ instance: Instance) throws {
    let devices: DeviceStore = try instance.part()
    (database, environment) = (instance.database, instance.environment)
    catalogue = instance.catalogue
    flags = try instance.part(ModerationFeature.self).personFlags
    workflow = VisitWorkflow(
      environment: environment,
      mails: VisitMails(
        environment: environment, catalogue: catalogue, names: try instance.part()),
      answer: Int64(instance.settings.visitMinutes) * 60)
    asking = VisitAsking(environment: environment, store: workflow.store, rates: instance.rates)
    forms = VisitForms(
      environment: environment, categories: devices.vocabulary.categories.map(\.code))
    hub = try VisitHub(instance)
    clock = VisitClock(
      database: database, environment: environment, workflow: workflow,
      finder: VisitFinder(
        database: database, environment: environment, store: workflow.store,
        volunteers: workflow.volunteers), logger: instance.logger)
  }

  package var endpoints: [Endpoint] {
    NeedRoutes(visits: self).endpoints + VolunteerRoutes(visits: self).endpoints
      + VisitRoutes(visits: self).endpoints + VisitOverviewRoutes(visits: self).endpoints
  }

  package var schemas: [Schema] {
    JSONSchema.named([
      "newVisit": ["device": .uuid, "reason": .oneOf(VisitReason.asked.map(\.rawValue))],
      "takenDevice": ["device": .uuid, "planned_for": JSONSchema.time.orNull.optional],
      "visitTime": ["planned_for": JSONSchema.time.orNull.optional],
      "visitReport": ["outcome": .oneOf(VisitOutcome.self)],
      "visitFlag": [
        "reason": .oneOf(PersonFlags.reasons),
        "note": JSONSchema.text(maximum: 1_000).orNull.optional,
      ],
      "volunteerSettings": VolunteerJSON.body(categories: forms.categories),
    ]) + [
      VisitedDevice.shape.component, NeedJSON.request.component, NeedJSON.shape.component,
      NeedJSON.page.component, NeedJSON.answer.component, VisitJSON.shape.component,
      OwnVisits.shape.component, VolunteerJSON.shape.component,
    ] + VisitNow.components + VisitOverviewRoutes.components
  }

  package var jobs: [Job] {
    [
      Job(VisitClock.job, every: VisitClock.every) {
        defer { hub.look() }
        try clock.run()
      },
      Job(VisitClock.soon) { _ in
        defer { hub.look() }
        try clock.work()
      },
      Job(
        VisitSweep.job, every: VisitSweep.every,
        run: VisitSweep(database: database, environment: environment, workflow: workflow).run),
    ]
  }

  /// Ends the streams.
  package func stop() { hub.stop() }

  /// Does everything that is due, on the calling thread.
  package func finish() throws {
    defer { hub.look() }
    try clock.run()
  }

  /// A visit as an account sees it.
  func shown(
    _ visit: StoredVisit, to account: Int64, _ connection: borrowing Connection
  ) throws -> VisitJSON {
    let offer = try workflow.offers.pending(about: visit.rowid, connection)
    let part: VisitJSON.Part =
      visit.visitor == account
      ? .visitor
      : offer?.account == account ? .offer : visit.asker == account ? .asker : .none
    return VisitJSON(
      visit: visit, device: try shownDevice(visit, connection), part: part,
      now: environment.now())
  }

  /// The device, if it is still public.
  private func shownDevice(
    _ visit: StoredVisit, _ connection: borrowing Connection
  ) throws -> VisitedDevice? {
    guard let device = try workflow.store.device(visit.device, connection), !device.isHidden else {
      return nil
    }
    return device
  }
}
