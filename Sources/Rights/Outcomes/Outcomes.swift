import Devices
package import Service

/// Published figures about the outcomes of requests to operators.
package struct Outcomes: Feature {
  package let publication: OutcomePublication
  package let routes: OutcomeRoutes

  package init(_ instance: Instance) throws {
    publication = OutcomePublication(
      database: instance.database, environment: instance.environment,
      publicChanges: instance.publicChanges)
    routes = OutcomeRoutes(
      database: instance.database, versions: instance.versions, catalogue: instance.catalogue,
      withheld: try instance.withheldOperators())
  }

  package var endpoints: [Endpoint] { routes.endpoints }
  package var schemas: [Schema] { [Outcome.shape.component, OutcomePage.shape.component] }
  package static let restores = RestoreRule.of(
    "figures",
    ["outcome_member": .remains("the job makes the place of an erased person anonymous again")])

  package var jobs: [Job] {
    [Job(OutcomePublication.job, every: OutcomePublication.every, run: publication.run)]
  }
}
