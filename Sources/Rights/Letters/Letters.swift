package import Service

/// Letters that are sent through Farol, and the answers of operators.
package struct Letters: Feature {
  package let choices: Choices

  package init(_ instance: Instance) throws { choices = try instance.part() }

  package var endpoints: [Endpoint] {
    SendingRoutes(choices: choices).endpoints + ReplyRoutes(choices: choices).endpoints
      + InboxRoutes(
        choices: choices, organisations: OrganisationStore(environment: choices.environment)
      ).endpoints
  }
}
