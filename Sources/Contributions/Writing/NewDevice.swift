import Devices
import Filters
import JSON
import PrivacyMap
import Service

/// A device to be added, checked as far as possible without the database.
struct NewDevice: Sendable {
  let fields: DeviceFields
  let placement: DeviceWriter.Placement
  /// The reason why it is not one of the likely duplicates.
  let duplicateReason: String?
  let comment: String?

  /// Reads a feature.
  ///
  /// - Throws: ``InvalidInput`` with all faults.
  init(_ feature: JSONObject, crs: CoordinateSystem, form: DeviceForm, by principal: Principal)
    throws
  {
    var sent = try FeatureBody(feature, crs: crs, needsPlace: true)
    var fields = DeviceFields(name: "", category: "")
    try form.read(DeviceForm.said, from: &sent.properties, into: &fields)
    if let status: DeviceStatus = sent.properties.oneOf("status") {
      fields.status = status
      if status != .reported && !principal.moderates {
        sent.properties.refuse("status", Message("error.status_is_computed"))
      }
    }
    let precision: Precision? = sent.properties.oneOf("precision")
    let isApproximate = sent.properties.flag("approximate") ?? false
    Self.refuseDecided(&sent.properties)
    try sent.check()
    guard let place = sent.place else { throw InvalidInput("geometry", Message("error.position")) }
    let isHousehold = form.vocabulary.category(fields.category)?.isHousehold ?? false
    fields.assumed = fields.assumed.filter {
      DeviceProperty.named($0)?.isSet(in: fields) ?? false
    }
    self.fields = fields
    placement = DeviceWriter.Placement(
      place: place, precision: precision ?? (isHousehold ? .kilometre : .exact),
      isApproximate: isApproximate)
    duplicateReason = sent.duplicateReason
    comment = sent.comment
  }

  /// Refuses properties that only the server sets, unless they are empty.
  private static func refuseDecided(_ properties: inout RequestBody) {
    for property in DeviceProperty.all where !property.isEntered && property.name != "status" {
      guard let value = properties.value(property.name), value != [], value != [:] else { continue }
      properties.refuse(property.name, Message("error.decided_here"))
    }
  }
}
