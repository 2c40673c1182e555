package import Service
import SpatialDatabase

/// Published figures about the people of an instance.
package struct PeopleStatistics: Feature {
  package let people: PeoplePublication
  package let versions: AnswerVersions
  package let catalogue: Catalogue

  package init(_ instance: Instance) {
    people = PeoplePublication(
      database: instance.database, environment: instance.environment,
      publicChanges: instance.publicChanges, minimum: instance.settings.peopleMinimum,
      features: instance.features)
    (versions, catalogue) = (instance.versions, instance.catalogue)
  }

  package var endpoints: [Endpoint] {
    PeopleRoutes(people: people, versions: versions, catalogue: catalogue).endpoints
  }
  package var schemas: [Schema] { [PeopleJSON.shape.component] }
  package static let restores = RestoreRule.of(
    "figures", ["people_group_member": .follows("account")])

  package var jobs: [Job] {
    [Job(PeoplePublication.job, every: PeoplePublication.every, run: people.run)]
  }
}
