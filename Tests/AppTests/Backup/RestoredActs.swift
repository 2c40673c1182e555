@testable import Accounts
@testable import App
@testable import DevicePhotos
@testable import Devices
import Foundation
import JSON
import Logging
@testable import MappingDays
import Mail
@testable import Operations
@testable import Pictures
import PrivacyMap
@testable import Rights
@testable import Service
import SpatialDatabase
import Testing
@testable import Watching
import WebServer

/// Acts that a restore repeats, by kind.
extension RestoredErasureTests {
  func actOnMappingDay(_ kind: ErasureList.Kind, _ scene: Scene) throws -> Act {
    let (app, ana) = (scene.app, scene.ana)
    let id = try app.day(of: ana, kind == .mappingDay ? .draft : .approved)
    let path = TestApp.day(id)
    let isPart = kind == .participation || kind == .participationName
    if isPart { app.join(id, ana, showsName: true) }
    return Act(
      perform: { later in
        let answer =
          switch kind {
          case .mappingDay: later.send(.delete, path, as: ana.identity)
          case .participation: later.send(.delete, "\(path)/participation", as: ana.identity)
          case .participationName: later.join(id, ana, showsName: false)
          default: later.post("\(path)/cancellation", ["reason": "Rain"], as: ana.identity)
          }
        #expect(answer.status.code < 300, "\(answer.text)")
      },
      count: isPart
        ? "SELECT count(*) FROM mapping_day_participant WHERE shows_name = 1"
        : "SELECT count(*) FROM mapping_day WHERE id = ? AND state IN ('draft', 'approved')",
      values: isPart ? [] : [.text(id)])
  }

  func actOnPhoto(_ kind: ErasureList.Kind, _ scene: Scene) throws -> Act {
    let (app, device) = (scene.app, scene.device)
    let row = try #require(
      try app.integer("SELECT rowid FROM device WHERE id = ?", [.text(device)]))
    let file = try app.keptPhoto(of: TestDevice(rowid: row, id: device))
    let moderator = try app.account("mod", role: .moderator)
    let photo = try #require(try app.text("SELECT id FROM photo WHERE file = '\(file)'"))
    let found = { (app: TestApp) in
      try #require(try app.database.read { try PhotoTable().photo(photo, $0) })
    }
    return Act(
      perform: { later in
        switch kind {
        case .photo, .picture:
          let answer = later.send(
            .delete, "/api/photos/\(photo)", headers: ["If-Match": try later.tag(device)],
            as: moderator.identity)
          #expect(answer.status.code < 300, "\(answer.text)")
          guard kind == .picture else { return }
          later.clock.advance(by: .seconds(31 * 86_400))
          try later.sweep()
        case .photoState:
          let answer = later.act("hide", "photo", photo, as: moderator.identity)
          #expect(answer.status == .ok, "\(answer.text)")
        default:
          let encoded = DrawnPicture.Encoded(
            width: 8, height: 6, bytes: [0xFF, 0xD8, 9, 0xFF, 0xD9])
          let (before, drawn) = (try found(later), DrawnPicture(large: encoded, thumb: encoded))
          let name = MediaFolder.name(later.environment.randomBytes(16))
          try later.app.photos.pictures.prepare(drawn, as: name)
          try later.database.write { connection in
            _ = try PhotoVersions(environment: later.environment).add(
              drawn, file: name, to: before, isRedacted: true, in: later.app.photos.pictures,
              connection)
          }
        }
      },
      count: """
        SELECT count(*) FROM photo WHERE id = ? AND state = 'public' AND NOT EXISTS (
          SELECT 1 FROM photo_version WHERE photo_rowid = photo.rowid AND redacted_by IS NOT NULL)
        """, values: [.text(photo)])
  }

  func actOnResearch(_ kind: ErasureList.Kind, _ scene: Scene) throws -> Act {
    let (app, ana) = (scene.app, scene.ana)
    let store = ResearchStore(environment: app.environment)
    let access = try app.database.write { connection in
      let made = try store.add(
        project: "A study", purpose: String(repeating: "Count cameras. ", count: 5),
        until: Day(daysSinceEpoch: app.clock.now.day.daysSinceEpoch + 90), of: ana.rowid, connection
      )
      try store.decide(
        .granted, of: made.rowid, until: Day(daysSinceEpoch: app.clock.now.day.daysSinceEpoch + 90),
        reason: "Good.", connection)
      return made
    }
    return Act(
      perform: { later in
        let store = ResearchStore(environment: later.environment)
        try later.database.write { connection in
          if kind == .research {
            try store.delete(access.id, of: ana.rowid, connection)
          } else {
            try store.decide(.revoked, of: access.rowid, until: nil, reason: "Over.", connection)
          }
        }
      }, count: "SELECT count(*) FROM research_access WHERE id = ? AND state = 'granted'",
      values: [.text(access.id)])
  }

  func actOnOrganisation(_ kind: ErasureList.Kind, _ scene: Scene) throws -> Act {
    let (app, device) = (scene.app, scene.device)
    let city = try app.approved()
    try app.claim(device, as: city)
    let put = app.send(
      .put, Path.item(device) + "/statement", json: ["note": "Only at night."], as: city.identity)
    #expect(put.status == .ok, "\(put.text)")
    let table =
      switch kind {
      case .organisation: "organisation"
      case .claim: "organisation_claim"
      default: "operator_statement"
      }
    return Act(
      perform: { later in
        let path =
          switch kind {
          case .organisation: "/api/operators/mine"
          case .claim: Path.item(device) + "/operator"
          default: Path.item(device) + "/statement"
          }
        let answer = later.send(.delete, path, as: city.identity)
        #expect(answer.status.code < 300, "\(answer.text)")
      }, count: "SELECT count(*) FROM \(table)")
  }
}
