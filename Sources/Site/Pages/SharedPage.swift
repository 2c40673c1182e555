import Devices
import MappingDays
import PrivacyMap
import Reference
import Service
import WebServer

/// Which device, place or figures a link to a page is about.
struct SharedPage {
  let frame: PageFrame
  let store: DeviceStore
  let places: PlaceStore?

  private var names: DeviceNames {
    DeviceNames(catalogue: frame.catalogue, places: places)
  }

  /// The tags of the map page: of the device or the place in its address, otherwise of all devices.
  func map(_ request: Request, _ language: String) throws -> HTML {
    let title = frame.text("page.index.title", language)
    let description = frame.text("page.index.description", language)
    if let text = request.query["device"], let id = DeviceID(text: text),
      let device = try DeviceSummary(id: id, language: language, store: store, names: names)
    {
      return device.shareTags(id, frame, language)
    }
    if let place = try place(request.query["place"], language), let id = place.id {
      let words = frame.text("page.card.place", language, ["place": place.name])
      return tags(
        words, description, "/", [("place", "\(id)")],
        picture: ShareTags.placePicture(id), [], language)
    }
    return tags(
      title, description, "/", [], picture: ShareTags.statisticsPicture, [], language)
  }

  /// The tags of the statistics page: of the devices that its address selects.
  func statistics(_ request: Request, _ language: String) throws -> HTML {
    let known = request.query.pairs.filter { Self.selecting.contains($0.name) }
      .map { ($0.name, $0.value) }
    let place = try place(request.query["place"], language)
    let title = frame.text("page.statistics.title", language)
    return tags(
      place.map { "\(title): \($0.name)" } ?? title,
      frame.text("page.statistics.description", language), "/statistics", known,
      picture: ShareTags.statisticsPicture, known, language)
  }

  /// The tags of the page of a mapping day.
  func mappingDay(_ day: DayPreview, _ language: String) -> HTML {
    tags(
      day.title, "\(day.start) · \(day.purpose)", "/mapping-days/\(day.id)", [],
      picture: ShareTags.mappingDayPicture(day.id), [], language)
  }

  /// The parameters of the statistics page that select devices.
  private static let selecting: Set<String> = [
    "place", "bbox", "category", "data_collected", "choices", "operator", "operator_kind",
    "setting", "status", "freshness", "country", "q",
  ]

  private func place(_ text: String?, _ language: String) throws -> PlaceStore.Place? {
    guard let id = text.flatMap({ Int64($0) }) else { return nil }
    return try places?.place(id: id, language: language)
  }

  private func tags(
    _ title: String, _ description: String, _ path: String, _ query: [(String, String)],
    picture: String, _ pictureQuery: [(String, String)], _ language: String
  ) -> HTML {
    let addresses = frame.addresses
    return ShareTags(
      title: "\(title) – \(frame.settings.name)", description: description,
      url: addresses.url(path, Query(query)),
      picture: .init(
        url: addresses.url(picture, Query(pictureQuery), setting: ("lang", language)),
        words: title),
      site: frame.settings.name, language: language
    ).html
  }
}

extension DeviceSummary {
  func shareTags(_ id: DeviceID, _ frame: PageFrame, _ language: String) -> HTML {
    ShareTags(
      title: "\(name) – \(frame.settings.name)", description: "\(category). \(definition)",
      url: frame.addresses.url("/devices/\(id.text)"),
      picture: .init(
        url: frame.addresses.url(
          ShareTags.devicePicture(id.text), Query(), setting: ("lang", language)),
        words: "\(category): \(name)"),
      site: frame.settings.name, language: language
    ).html
  }
}
