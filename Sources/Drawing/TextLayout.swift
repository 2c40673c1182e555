internal import CPango

/// Sets texts of any script with Pango, which selects the fonts, the direction and the line breaks.
///
/// It has its own font map, because two threads must not share a font map of Pango.
final class TextLayout {
  private let fonts: UnsafeMutablePointer<PangoFontMap>
  private let context: OpaquePointer

  /// Noto has most scripts. DejaVu is on every Debian system with fonts.
  private static let families = "Noto Sans, DejaVu Sans, sans-serif"
  /// A longer text fits no drawing, and setting it would take long.
  private static let maxLength = 1_000
  /// The factor by which a text that does not fit is reduced, step by step.
  private static let step = 0.92

  /// - Parameter canvas: the cairo context that the texts are for.
  /// - Throws: ``DrawingFailure/noFonts``. Without any font, Pango would end the process.
  init(for canvas: OpaquePointer) throws(DrawingFailure) {
    guard let fonts = pango_cairo_font_map_new() else { throw .noFonts }
    var families: UnsafeMutablePointer<UnsafeMutablePointer<PangoFontFamily>?>?
    var count: Int32 = 0
    pango_font_map_list_families(fonts, &families, &count)
    g_free(families)
    guard count > 0, let context = pango_font_map_create_context(fonts) else {
      g_object_unref(fonts)
      throw .noFonts
    }
    self.fonts = fonts
    self.context = context
    // Letters have the same widths in every form and size of a drawing.
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    pango_cairo_context_set_font_options(context, options)
    cairo_font_options_destroy(options)
    pango_cairo_update_context(canvas, context)
  }

  deinit {
    g_object_unref(UnsafeMutableRawPointer(context))
    g_object_unref(fonts)
  }

  /// Sets a text in the largest size of its style in which it fits, and lends the result.
  ///
  /// - Parameters:
  ///   - text: one paragraph.
  ///   - style: the size, the colour and the number of lines.
  ///   - width: of a line.
  ///   - body: receives the layout and its height in units of the drawing.
  /// - Returns: the result of `body`.
  /// - Throws: ``DrawingFailure/cairo(_:)`` without memory.
  func with<Result>(
    _ text: String, _ style: TextStyle, width: Double,
    _ body: (_ layout: OpaquePointer, _ height: Double) -> Result
  ) throws(DrawingFailure) -> Result {
    pango_context_set_language(context, pango_language_from_string(style.language))
    guard let layout = pango_layout_new(context), let font = pango_font_description_new() else {
      throw .cairo("no memory")
    }
    defer {
      pango_font_description_free(font)
      g_object_unref(UnsafeMutableRawPointer(layout))
    }
    pango_font_description_set_family(font, Self.families)
    pango_font_description_set_weight(
      font, style.isBold ? PANGO_WEIGHT_BOLD : PANGO_WEIGHT_NORMAL)
    let shown = Self.plain(text)
    pango_layout_set_text(layout, shown, Int32(clamping: shown.utf8.count))
    pango_layout_set_width(layout, Self.units(width))
    pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
    pango_layout_set_height(layout, -Int32(clamping: style.lines))
    pango_layout_set_ellipsize(layout, PANGO_ELLIPSIZE_END)
    var size = style.size
    while true {
      pango_font_description_set_absolute_size(font, size * Double(PANGO_SCALE))
      pango_layout_set_font_description(layout, font)
      if pango_layout_is_ellipsized(layout) == 0 || size <= style.smallest { break }
      size = max(size * Self.step, style.smallest)
    }
    var height: Int32 = 0
    pango_layout_get_size(layout, nil, &height)
    return body(layout, Double(height) / Double(PANGO_SCALE))
  }

  /// One paragraph: line breaks and other control characters become spaces.
  private static func plain(_ text: String) -> String {
    String(
      String.UnicodeScalarView(
        text.unicodeScalars.prefix(maxLength).map { scalar in
          switch scalar.properties.generalCategory {
          case .control, .lineSeparator, .paragraphSeparator: " "
          default: scalar
          }
        }))
  }

  private static func units(_ length: Double) -> Int32 {
    Int32((min(max(length, 1), 100_000) * Double(PANGO_SCALE)).rounded())
  }
}
