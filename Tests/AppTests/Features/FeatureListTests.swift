@testable import Accounts
@testable import App
import Metrics
@testable import Service
import Testing

/// An instance has each kind of feature once, and no other.
@Suite struct FeatureListTests {
  let app: TestApp

  init() throws { app = try TestApp() }

  @Test func `the features of an instance are those of the list, in its order`() {
    let kinds = App.kinds.map { "\($0)" }
    #expect(app.app.features.map { "\(type(of: $0))" } == kinds)
  }

  @Test func `no kind of job, schema or export section exists twice`() {
    let features = app.app.features
    for names in [
      features.flatMap { $0.jobs }.map(\.kind), features.flatMap { $0.schemas }.map(\.key),
      app.app.accounts.sections.map(\.name), features.flatMap { $0.metrics }.map(\.name),
    ] {
      #expect(Set(names).count == names.count)
    }
  }
}
