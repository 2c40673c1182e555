import PrivacyMap
import Service

extension Catalogue {
  /// A day written out for letters: `3 March 2027`.
  func written(_ day: Day, in language: String) -> String {
    let (year, month, number) = day.parts
    let name = text(Message("mail.month.\(month)"), in: language)
    return text(
      Message("mail.date", ["day": "\(number)", "month": name, "year": "\(year)"]), in: language)
  }
}
