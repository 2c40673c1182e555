internal import CGMime
import PrivacyMap

/// A mail as a message of GMime: `multipart/alternative`, its parts quoted-printable, its names and its
/// subject as encoded words (RFC 2047) where they need it.
struct MIMEMessage: ~Copyable {
  private let message: UnsafeMutablePointer<GMimeMessage>

  /// Calls `g_mime_init` once; it is never undone.
  static let isReady: Void = g_mime_init()

  /// Separates the parts. `=_` cannot occur in quoted-printable text (RFC 2045 §6.7, note 2).
  private static let boundary = "=_farol_"

  init(_ mail: MailMessage) {
    Self.isReady
    message = g_mime_message_new(1)
    let date = g_date_time_new_from_unix_utc(gint64(mail.date.secondsSinceEpoch))
    defer { g_date_time_unref(date) }
    g_mime_message_set_date(message, date)
    g_mime_message_add_mailbox(
      message, GMIME_ADDRESS_TYPE_FROM, mail.from.name, mail.from.address.text)
    g_mime_message_add_mailbox(message, GMIME_ADDRESS_TYPE_TO, nil, mail.to.text)
    g_mime_message_set_subject(message, Self.literal(mail.subject), "utf-8")
    g_mime_message_set_message_id(message, mail.messageID)
    addParts(["plain": mail.text, "html": mail.html])
    // RFC 3834: suppresses automatic replies.
    g_mime_object_set_header(gmime_object(message), "Auto-Submitted", "auto-generated", nil)
    g_mime_object_set_header(gmime_object(message), "Content-Language", mail.language, nil)
    if let list = mail.list { setHeaders(of: list) }
  }

  /// RFC 2919, RFC 2369 and RFC 8058. Written as they are: GMime would encode a long address as a text
  /// (RFC 2047), and no mail program reads an encoded address.
  private func setHeaders(of list: MailList) {
    for (name, value) in [
      ("List-Id", "<\(list.id)>"), ("List-Unsubscribe", "<\(list.unsubscribe)>"),
      ("List-Unsubscribe-Post", "List-Unsubscribe=One-Click"),
    ] {
      g_mime_object_set_header(gmime_object(message), name, value, nil)
      let headers = g_mime_object_get_header_list(gmime_object(message))
      guard let header = g_mime_header_list_get_header(headers, name) else { continue }
      g_mime_header_set_raw_value(header, " \(value)\n")
    }
  }

  deinit { g_object_unref(message) }

  /// The wire format (RFC 5322, RFC 2045): ASCII in lines that end in CRLF.
  var bytes: [UInt8] {
    let format = g_mime_format_options_new()
    defer { g_mime_format_options_free(format) }
    g_mime_format_options_set_newline_format(format, GMIME_NEWLINE_FORMAT_DOS)
    guard let text = g_mime_object_to_string(gmime_object(message), format) else { return [] }
    defer { g_free(text) }
    return Array(String(cString: text).utf8)
  }

  /// Adds a part of type `text/…` for each kind, the best kind last (RFC 2046 §5.1.4).
  private func addParts(_ parts: KeyValuePairs<String, String>) {
    let alternatives = g_mime_multipart_new_with_subtype("alternative")
    defer { g_object_unref(alternatives) }
    g_mime_multipart_set_boundary(alternatives, Self.boundary)
    for (kind, text) in parts { Self.add(text, kind, to: alternatives) }
    g_mime_message_set_mime_part(message, gmime_object(alternatives))
  }

  private static func add(
    _ text: String, _ kind: String, to alternatives: UnsafeMutablePointer<GMimeMultipart>?
  ) {
    let part = g_mime_part_new_with_type("text", kind)
    defer { g_object_unref(part) }
    let stream = g_mime_stream_mem_new_with_buffer(text, text.utf8.count)
    defer { g_object_unref(stream) }
    let content = g_mime_data_wrapper_new_with_stream(stream, GMIME_CONTENT_ENCODING_DEFAULT)
    defer { g_object_unref(content) }
    g_mime_object_set_content_type_parameter(gmime_object(part), "charset", "utf-8")
    g_mime_part_set_content(part, content)
    g_mime_part_set_content_encoding(part, GMIME_CONTENT_ENCODING_QUOTEDPRINTABLE)
    g_mime_multipart_add(alternatives, gmime_object(part))
  }

  /// A subject that mail programs show as it is.
  ///
  /// It may contain the name of a device. GMime leaves text that looks like an encoded word unchanged,
  /// and readers would decode it. A word joiner, which is invisible, prevents that.
  private static func literal(_ text: String) -> String {
    text.replacing("=?", with: "=\u{2060}?")
  }
}
