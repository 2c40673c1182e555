package import Service

/// The public profiles of contributors.
package struct Profiles: Feature {
  package let accounts: Accounts

  package init(_ instance: Instance) throws { accounts = try instance.part() }

  package var endpoints: [Endpoint] { PersonRoutes(accounts: accounts).endpoints }
  package var schemas: [Schema] { [PersonRoutes.schema] }
  package var jobs: [Job] {
    [Job(ProfilePublication.job, every: ProfilePublication.every, run: publication.run)]
  }

  package static let restores = RestoreRule.of(
    "contributions", ["profile_count": .follows("account")])

  package var publication: ProfilePublication {
    ProfilePublication(
      database: accounts.database, environment: accounts.environment,
      counts: accounts.features.flatMap { $0.personCounts })
  }
}
