import Foundation
import Service

/// The address, the contact and the name of an instance.
extension Configuration {
  static func checkedBaseURL(_ text: String) throws -> String {
    guard let url = URLComponents(string: text), let scheme = url.scheme,
      ["http", "https"].contains(scheme), url.host?.isEmpty == false, url.query == nil,
      url.fragment == nil, url.user == nil, ["", "/"].contains(url.path)
    else {
      throw InvalidSetting(
        name: "FAROL_BASE_URL",
        problem: "“\(text)” is not an address such as https://farol.example.org, without a path.")
    }
    return text
  }

  static func securityContact(
    _ options: ServeOptions, _ reader: SettingReader
  ) throws -> SecurityContact? {
    guard let text = reader.text(options.securityContact, "FAROL_SECURITY_CONTACT") else {
      return reader.text(options.contact, "FAROL_CONTACT").flatMap(SecurityContact.init)
    }
    guard let contact = SecurityContact(text) else {
      throw InvalidSetting(
        name: "FAROL_SECURITY_CONTACT",
        problem: "“\(text)” is neither an e-mail address nor begins with https: or tel:.")
    }
    return contact
  }

  /// One line, because it is part of mail subjects.
  static func name(_ text: String) throws -> String {
    guard (1...100).contains(text.count),
      text.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw InvalidSetting(
        name: "FAROL_NAME", problem: "a name is one line of at most 100 characters.")
    }
    return text
  }
}
