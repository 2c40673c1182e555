package import Service

/// The countries of devices.
package struct Countries: Feature {
  package let map: LiveMap

  package init(_ instance: Instance) throws { map = try instance.given() }

  package var jobs: [Job] {
    [Job(CountryFill.job, every: CountryFill.every) { [map] in try CountryFill(map: map).run() }]
  }
}
