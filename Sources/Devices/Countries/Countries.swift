package import Service

/// The countries of devices.
package struct Countries: Feature {
  package let map: LiveMap

  package init(map: LiveMap) {
    self.map = map
  }

  package var jobs: [Job] {
    [Job(CountryFill.job, every: CountryFill.every) { [map] in try CountryFill(map: map).run() }]
  }
}
