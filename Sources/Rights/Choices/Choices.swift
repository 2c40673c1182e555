import Devices
import Foundation
import PrivacyMap
import Reference
package import Service
package import SpatialDatabase
import WebServer

/// State shared by all choice routes: the law, the letters and the ledgers.
package struct Choices: Feature {
  let database: Database
  let environment: Environment
  let addresses: Addresses
  let catalogue: Catalogue
  let versions: AnswerVersions
  let rights: RightsBook
  let letters: LetterBook
  let writer: LetterWriter
  let legalPlaces: LegalPlaces
  let store: ChoiceStore
  let records: RecordTerms
  /// The name of the instance, shown in the calendar.
  let instance: String
  let mails: MailQueue
  let requests: RequestStore
  let replies: ReplyLinks
  /// Letters sent through Farol per account.
  let sendings: Throttle<Int64>
  /// Choices that an account adds. The list of erasures gets an entry for each that it deletes.
  let additions: Throttle<Int64>
  /// Reply links opened and answered per network.
  let openings: Throttle<ClientAddress>
  let names: DeviceNames

  package init(_ instance: Instance) throws {
    let files: RightsFiles = try instance.given()
    let (places, countries) = try (instance.places, instance.map.countries)
    (database, environment) = (instance.database, instance.environment)
    (addresses, catalogue) = (instance.addresses, instance.catalogue)
    (versions, self.instance) = (instance.versions, instance.settings.name)
    (rights, records, letters) = (files.rights, files.records, files.letters)
    legalPlaces = LegalPlaces(rights: rights, places: places, countries: countries)
    writer = LetterWriter(
      rights: rights, letters: letters, contacts: files.contacts, catalogue: files.catalogue,
      addresses: addresses, places: places,
      names: DeviceNames(catalogue: files.catalogue, places: places), countries: countries)
    names = try instance.part()
    store = ChoiceStore(rights: rights, environment: environment)
    mails = instance.mails
    requests = RequestStore(environment: environment)
    replies = ReplyLinks(key: try instance.secret(.replies))
    sendings = instance.rates.limit("choices.sendings", 30, per: .seconds(3_600))
    additions = instance.rates.limit("choices.additions", 300, per: .seconds(3_600))
    openings = instance.rates.limit("choices.openings", 120, per: .seconds(3_600))
  }

  var now: Timestamp { environment.now() }
  var today: Day { now.day }

  /// Every operation of the HTTP interface that is about choices.
  package var endpoints: [Endpoint] {
    ChoiceRoutes(choices: self).endpoints + ChoiceFileRoutes(choices: self).endpoints
      + ChoiceImport(choices: self).endpoints + OfferRoutes(choices: self).endpoints + [
        GlobalPrivacyControl.endpoint
      ]
  }
  package var schemas: [Schema] { ChoiceSchemas.all }
  package var jobs: [Job] {
    [
      Job(
        ChoiceReminders.job, every: ChoiceReminders.every, run: ChoiceReminders(choices: self).run)
    ]
  }

  package func eraseAgain(
    _ entry: ErasureList.Entry, _ connection: borrowing Connection
  ) throws -> Bool? {
    switch entry.kind {
    case .choice: try store.eraseAgain(entry.id, connection)
    case .choiceParts: try store.endPartsAgain(entry, connection)
    default: nil
    }
  }

  package static let restores =
    RestoreRule.of(
      "choices",
      [
        "choice": .repeats([.choice, .choiceParts]), "choice_event": .follows("choice"),
        "choice_reminder": .follows("choice"),
      ])
    + RestoreRule.of("requests", ["request": .follows("choice")])

  package static let portions = [
    """
    DELETE FROM choice WHERE rowid IN (
      SELECT rowid FROM choice WHERE account_rowid = ? LIMIT 50)
    """
  ]

  /// The JSON of a choice for its owner.
  func json(_ choice: StoredChoice, _ connection: borrowing Connection) throws -> ChoiceJSON {
    ChoiceJSON(
      choice: choice, live: try ChosenDevice(choice.device.id, connection), today: today,
      destination: try requests.destination(of: choice, connection))
  }

  /// The terms of a kind of choice.
  ///
  /// - Throws: a 422 that names `kind`, or `country` if the country is missing.
  func terms(
    _ kind: String, of device: ChosenDevice, in place: LegalPlace,
    _ connection: borrowing Connection
  ) throws -> ChoiceTerms {
    let offered = try ChosenDevice.allOffers(of: device.id, connection).first { $0.kind == kind }
    do throws(ChoiceTerms.Refusal) {
      return try ChoiceTerms(kind, of: device, in: place, offered: offered, by: rights)
    } catch {
      let field = if case .noLaw = error { "country" } else { "kind" }
      throw InvalidInput([(field, error.message)], status: .unprocessableContent)
    }
  }

  /// Checks the language that a person chose for letters.
  ///
  /// - Throws: a 400 if there are no letters of the regime in it.
  func check(_ language: String?, under regime: String?) throws {
    guard let language, let regime,
      !letters.languages(of: rights.family(of: regime)).contains(language)
    else { return }
    throw InvalidInput.unknownCode("language", language)
  }

  /// Applies an entry to the ledger of a choice and stores it.
  ///
  /// - Throws: a ``Refusal`` if the ledger does not accept the entry.
  func take(
    _ entry: LedgerEntry, into choice: inout StoredChoice, _ connection: borrowing Connection
  ) throws {
    let state = choice.ledger.state
    do throws(LedgerRefusal) {
      try choice.ledger.apply(entry, now: now)
    } catch { throw error.refusal(state, entry.event) }
    try store.append(entry, to: choice, connection)
  }

  /// A letter of a choice; nil if the applicable law is unknown.
  ///
  /// - Throws: a 409 if there is no such letter, or if it is not available yet.
  func letter(
    _ which: LetterWriter.Which, of choice: StoredChoice, in language: String,
    _ connection: borrowing Connection
  ) throws -> LetterWriter.Written? {
    guard let matter = try matter(of: choice, in: language, connection) else { return nil }
    let code = try writer.code(which, for: matter.letter, after: choice.ledger.answer?.event)
    if which != .request, choice.ledger.state == .wanted {
      throw Refusal(.conflict, "error.choice.not_sent", type: "not-sent")
    }
    let values = writer.ledgerValues(choice, today: today, in: language)
    return try writer.write(
      code, about: matter, with: values.merging(choice.details) { $1 }, connection)
  }

  /// The request letter of a choice, in the language of the choice; nil without one.
  func request(
    of choice: StoredChoice, _ connection: borrowing Connection
  ) throws -> LetterBook.Filled? {
    try letter(.request, of: choice, in: choice.language, connection)?.filled
  }

  /// The last paragraph of a letter, with the link to answer it; nil if the person does not want the
  /// link or there is no request to answer.
  func replyParagraph(
    _ choice: StoredChoice, in language: String, _ connection: borrowing Connection
  ) throws -> String? {
    guard choice.replyLink else { return nil }
    let isThere =
      try choice.ledger.state == .wanted
      || requests.request(ofChoice: choice.rowid, connection) != nil
    guard isThere else { return nil }
    return writer.catalogue.text(
      Message("mail.letter.reply", ["link": addresses.url(replies.path(of: choice))]),
      in: language)
  }

  /// The subject matter of a choice for letters in a language; nil if the law is unknown.
  func matter(
    of choice: StoredChoice, in language: String, _ connection: borrowing Connection
  ) throws -> LetterWriter.Matter? {
    guard let letter = choice.letter, let regime = choice.regime else { return nil }
    let live =
      choice.ledger.state == .wanted ? try ChosenDevice(choice.device.id, connection) : nil
    let offers = try ChosenDevice.allOffers(of: choice.device.id, connection)
    return LetterWriter.Matter(
      device: live ?? choice.device, kind: choice.kind, right: choice.right, letter: letter,
      regime: regime, country: choice.country, language: language,
      offered: offers.first { $0.kind == choice.kind })
  }
}
