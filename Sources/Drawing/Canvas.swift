internal import CPango

/// A page or picture that is drawn with cairo and then written as a file.
///
///     let canvas = try Canvas(.png, width: 1_200, height: 630, title: "Funchal")
///     canvas.fill(Rectangle(x: 0, y: 0, width: 1_200, height: 8), Colour(0xffc857))
///     _ = try canvas.text("Funchal", style, x: 64, y: 64, width: 800)
///     let bytes = try canvas.finished()
///
/// One thread uses it. A drawing of one page takes 20 to 60 milliseconds, most of them for finding fonts.
package struct Canvas: ~Copyable {
  /// The format of the file.
  package enum Form: Hashable, Sendable {
    /// Units are points, 1/72 inch.
    case pdf
    /// The same. Letters become outlines, so that a reader needs no fonts.
    case svg
    /// Units are pixels.
    case png
  }

  private let form: Form
  private let surface: OpaquePointer
  private let context: OpaquePointer
  private let texts: TextLayout
  private let sink: Sink

  /// - Parameters:
  ///   - form: the format of the file.
  ///   - width: in units of the form.
  ///   - height: the same.
  ///   - title: of the document, for formats that have one.
  /// - Throws: ``DrawingFailure``.
  package init(_ form: Form, width: Double, height: Double, title: String) throws(DrawingFailure) {
    let sink = Sink()
    // The canvas holds the sink as long as the surface can write to it.
    let target = Unmanaged.passUnretained(sink).toOpaque()
    let made: OpaquePointer? =
      switch form {
      case .pdf: cairo_pdf_surface_create_for_stream(append, target, width, height)
      case .svg: cairo_svg_surface_create_for_stream(append, target, width, height)
      case .png:
        cairo_image_surface_create(
          CAIRO_FORMAT_RGB24, Int32(clamping: Int(width)), Int32(clamping: Int(height)))
      }
    // cairo returns a surface in an error state instead of nil.
    guard let surface = made else { throw .cairo("no surface") }
    if form == .pdf {
      cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_TITLE, title)
    }
    guard let context = cairo_create(surface) else {
      cairo_surface_destroy(surface)
      throw .cairo("no context")
    }
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
      throw Self.failure(status)
    }
    let texts: TextLayout
    do throws(DrawingFailure) { texts = try TextLayout(for: context) } catch {
      cairo_destroy(context)
      cairo_surface_destroy(surface)
      throw error
    }
    self.form = form
    self.surface = surface
    self.context = context
    self.texts = texts
    self.sink = sink
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
    // Until here the surface may write.
    withExtendedLifetime(sink) {}
  }

  package func fill(_ rectangle: Rectangle, _ colour: Colour) {
    cairo_rectangle(context, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
    paint(colour)
  }

  package func circle(x: Double, y: Double, radius: Double, _ colour: Colour) {
    cairo_new_sub_path(context)
    cairo_arc(context, x, y, radius, 0, 2 * .pi)
    paint(colour)
  }

  /// Draws a closed shape: filled, translucent by `opacity`, with a line of `width` around it.
  package func polygon(
    _ corners: [(x: Double, y: Double)], _ colour: Colour, opacity: Double, width: Double
  ) {
    for corner in corners { cairo_line_to(context, corner.x, corner.y) }
    cairo_close_path(context)
    cairo_set_source_rgba(context, colour.red, colour.green, colour.blue, opacity)
    cairo_fill_preserve(context)
    cairo_set_source_rgb(context, colour.red, colour.green, colour.blue)
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_stroke(context)
  }

  /// Draws several rectangles of one colour as one shape, without seams between neighbours.
  package func fill(_ rectangles: [Rectangle], _ colour: Colour) {
    for part in rectangles { cairo_rectangle(context, part.x, part.y, part.width, part.height) }
    cairo_set_antialias(context, CAIRO_ANTIALIAS_NONE)
    paint(colour)
    cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
  }

  /// A point of a drawing.
  package typealias Point = (x: Double, y: Double)

  /// Draws closed lines as one shape; a line within another is a hole.
  ///
  /// - Parameters:
  ///   - rings: the corners of each line.
  ///   - colour: the colour of the inside; nil for none.
  ///   - outline: the colour of the lines.
  ///   - width: the width of the lines.
  package func fill(
    _ rings: [[Point]], _ colour: Colour?, outline: Colour, width: Double
  ) {
    for ring in rings {
      guard let first = ring.first else { continue }
      cairo_move_to(context, first.x, first.y)
      for point in ring.dropFirst() { cairo_line_to(context, point.x, point.y) }
      cairo_close_path(context)
    }
    if let colour {
      cairo_set_fill_rule(context, CAIRO_FILL_RULE_EVEN_ODD)
      cairo_set_source_rgb(context, colour.red, colour.green, colour.blue)
      cairo_fill_preserve(context)
    }
    cairo_set_source_rgb(context, outline.red, outline.green, outline.blue)
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_stroke(context)
  }

  /// Limits drawing to a rectangle until ``unclip()``.
  package func clip(to rectangle: Rectangle) {
    cairo_save(context)
    cairo_rectangle(context, rectangle.x, rectangle.y, rectangle.width, rectangle.height)
    cairo_clip(context)
  }

  /// Ends the limit of ``clip(to:)``.
  package func unclip() { cairo_restore(context) }

  /// Draws a text with its upper left corner at a point. A text in a script that runs from right to left
  /// is aligned with the right edge.
  ///
  /// - Returns: its height.
  package func text(
    _ text: String, _ style: TextStyle, x: Double, y: Double, width: Double
  ) throws(DrawingFailure) -> Double {
    try texts.with(text, style, width: width) { layout, height in
      cairo_set_source_rgb(context, style.colour.red, style.colour.green, style.colour.blue)
      cairo_move_to(context, x, y)
      pango_cairo_show_layout(context, layout)
      return height
    }
  }

  /// The height that a text needs.
  package func height(
    of text: String, _ style: TextStyle, width: Double
  ) throws(DrawingFailure) -> Double {
    try texts.with(text, style, width: width) { _, height in height }
  }

  private func paint(_ colour: Colour) {
    cairo_set_source_rgb(context, colour.red, colour.green, colour.blue)
    cairo_fill(context)
  }

  /// Ends the drawing.
  ///
  /// - Returns: the file.
  /// - Throws: ``DrawingFailure/cairo(_:)``.
  package consuming func finished() throws(DrawingFailure) -> [UInt8] {
    let drawn = cairo_status(context)
    guard drawn == CAIRO_STATUS_SUCCESS else { throw Self.failure(drawn) }
    if form == .png {
      let target = Unmanaged.passUnretained(sink).toOpaque()
      let written = cairo_surface_write_to_png_stream(surface, append, target)
      guard written == CAIRO_STATUS_SUCCESS else { throw Self.failure(written) }
    }
    cairo_surface_finish(surface)
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS else { throw Self.failure(status) }
    return sink.bytes
  }

  private static func failure(_ status: cairo_status_t) -> DrawingFailure {
    .cairo(
      cairo_status_to_string(status).map { String(cString: $0) } ?? "status \(status.rawValue)")
  }
}

/// The bytes that a surface has written.
private final class Sink {
  var bytes: [UInt8] = []
}

private func append(
  _ sink: UnsafeMutableRawPointer?, _ data: UnsafePointer<UInt8>?, _ length: UInt32
) -> cairo_status_t {
  guard let sink, let data else { return CAIRO_STATUS_WRITE_ERROR }
  Unmanaged<Sink>.fromOpaque(sink).takeUnretainedValue().bytes
    .append(contentsOf: UnsafeBufferPointer(start: data, count: Int(length)))
  return CAIRO_STATUS_SUCCESS
}
