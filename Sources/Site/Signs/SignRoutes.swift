import Devices
import Drawing
import Foundation
import PrivacyMap
import Reference
package import Service
import SpatialDatabase
import WebServer

/// `GET …/devices/items/{id}/sign`: a sign to print and to hang up near a device, with a QR code.
package struct SignRoutes: Feature {
  private let store: DeviceStore
  private let texts: SignTexts
  private let catalogue: Catalogue
  private let addresses: Addresses
  /// The name of the instance.
  private let name: String
  private let drawings: DrawingService

  package init(_ instance: Instance) throws {
    (store, drawings) = try (instance.part(), instance.part())
    texts = try SignTexts(directory: instance.folders.seed.appendingPathComponent("signs"))
    (catalogue, addresses) = (instance.catalogue, instance.addresses)
    name = instance.settings.name
  }

  package var queues: [(name: String, queue: any MeasuredQueue)] { [("drawings", drawings.queue)] }

  package func stop() { drawings.queue.stop() }

  private static let formats = ContentNegotiation([
    .init("pdf", "application/pdf"), .init("svg", "image/svg+xml"),
  ])

  package var endpoints: [Endpoint] {
    [
      Endpoint(
        "getDeviceSign", .get, "/api/collections/devices/items/{id}/sign", tag: "Devices",
        summary: "A sign to print: what watches this place, by whom, and the rights of people.",
        access: .everyone,
        parameters: [
          .deviceID,
          .query(
            "size", .oneOf(SignSize.allCases.map(\.rawValue), byDefault: SignSize.a4.rawValue),
            "The size of the paper."),
          .query(
            "lang", .oneOf(texts.languages),
            "The language of the sign; by default that of the reader."),
          .format(["pdf", "svg"]),
        ],
        answers: [
          Endpoint.Answer(
            status: 200, description: "The sign.",
            content: [("application/pdf", nil), ("image/svg+xml", nil)]),
          .refusal(409, "The device is gone, or is no device."),
        ], .apart(drawings.queue, get))
    ]
  }

  @Sendable private func get(_ request: Request, _: Caller) throws -> Response {
    try Self.formats.check(request)
    let form = try Self.formats.choose(for: request).format
    let size = try size(request.query["size"])
    let language = try language(request)
    let sign = try sign(request.parameter("id"), language)
    let content =
      [
        "sign", form, size.rawValue, language, sign.category, sign.operatorName ?? "",
        sign.operatorName == nil ? "unknown" : "known", sign.status, sign.address, sign.day.text,
        sign.instance,
      ] + sign.data
    let file = try drawings.drawing(content, for: request.clientAddress) {
      try SignDrawing(sign, size).file(form == "svg" ? .svg : .pdf)
    }
    var response = Response.bytes(
      file, contentType: form == "svg" ? "image/svg+xml" : "application/pdf")
    response.headers["Content-Disposition"] =
      "attachment; filename=\"sign-\(size.rawValue)-\(language).\(form)\""
    response.headers["Content-Language"] = language
    AnswerVersions.complete(&response)
    return response
  }

  private func size(_ text: String?) throws -> SignSize {
    guard let text else { return .a4 }
    guard let size = SignSize(rawValue: text) else { throw InvalidInput.unknownCode("size", text) }
    return size
  }

  private func language(_ request: Request) throws -> String {
    guard let asked = request.query["lang"] else { return catalogue.language(of: request) }
    guard texts.languages.contains(asked) else {
      throw InvalidInput.unknownCode("lang", asked)
    }
    return asked
  }

  /// - Throws: 404 or 410 for a device that is not public, 409 for a device that is gone.
  private func sign(_ id: String, _ language: String) throws -> Sign {
    guard let words = texts.words(in: language) else {
      throw InvalidInput.unknownCode("lang", language)
    }
    return try store.database.read { connection in
      let found = try FoundDevice(id, for: .nobody, connection)
      guard let facts = try PageStore().device(found.id, connection) else {
        throw NotFound.device
      }
      guard let status = words.statuses[facts.status] else {
        throw Refusal(.conflict, "error.sign_gone", type: "sign-gone")
      }
      func label(_ scheme: String, _ code: String, _ own: [String: String]) throws -> String {
        try own[code] ?? TaxonomyStore().words(scheme, code, in: language, connection)?.label
          ?? code
      }
      return Sign(
        language: language, words: words,
        category: try label("categories", facts.category, words.categories),
        data: try facts.data.map { try label("data", $0, words.dataTerms) },
        operatorName: facts.operatorName, status: status,
        address: addresses.url("/devices/\(found.id.text)"), day: store.environment.now().day,
        instance: name)
    }
  }
}
