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
    fields.assumed = fields.assumed.filter { fields.says($0) }
    self.fields = fields
    placement = DeviceWriter.Placement(
      place: place, precision: precision ?? (isHousehold ? .kilometre : .exact),
      isApproximate: isApproximate)
    duplicateReason = sent.duplicateReason
    comment = sent.comment
  }

  /// Refuses properties that only the server sets, unless they are empty.
  private static func refuseDecided(_ properties: inout RequestBody) {
    for property in DeviceProperty.all
    where !DeviceForm.said.contains(property.name) && property.name != "status" {
      guard let value = properties.value(property.name), value != [], value != [:] else { continue }
      properties.refuse(property.name, Message("error.decided_here"))
    }
  }
}

extension DeviceFields {
  /// Whether a property that people set has a value.
  func says(_ name: String) -> Bool {
    switch name {
    case "precision": true
    case "description": description != nil
    case "manufacturer": manufacturer != nil
    case "model": model != nil
    case "units": units != nil
    case "level": level != nil
    case "height": height != nil
    case "setting": setting != nil
    case "zone": zone != nil
    case "bearings": !bearings.isEmpty
    case "field_of_view": fieldOfView != nil
    case "mount": mount != nil
    case "data_collected": !dataCollected.isEmpty
    case "purposes": !purposes.isEmpty
    case "identifiability": identifiability != nil
    case "processing": processing != nil
    case "storage": storage != nil
    case "retention": retention != nil
    case "shared_with": !sharedWith.isEmpty
    case "legal_basis": legalBasis != nil
    case "signage": signage != nil
    case "operator": answersFor != nil
    case "choices": !choices.isEmpty
    case "started_on": startedOn != nil
    case "observed_on": observedOn != nil
    default: false
    }
  }
}
