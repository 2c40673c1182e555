import CVips

/// A libvips image, freed with its last use.
struct Picture: ~Copyable {
  private let image: UnsafeMutablePointer<VipsImage>

  /// - Parameter image: an image that this object owns. Nil when libvips could not create it.
  /// - Throws: ``Refusal/damaged``. Operations on a picture that has been read do not fail.
  private init(_ image: UnsafeMutablePointer<VipsImage>?) throws(Refusal) {
    guard let image else { throw VipsLibrary.refusal() }
    self.image = image
  }

  deinit { g_object_unref(image) }

  /// Width and height in pixels.
  var size: (width: Int32, height: Int32) {
    (vips_image_get_width(image), vips_image_get_height(image))
  }

  /// Decodes a file in memory for display: its first frame, upright, in sRGB with eight bits per
  /// band, without transparency, fitted into `side` × `side` pixels.
  ///
  /// - Throws: ``Refusal``. A file with too many pixels is rejected before decoding.
  static func decoded(
    _ bytes: UnsafeRawBufferPointer, kind: ImageKind, side: Int
  ) throws(Refusal) -> Picture {
    if kind == .heif { return try decodedHEIF(bytes, side: side) }
    let (width, height) = try kind.size(of: bytes)
    guard width * height <= Limits.pixels else { throw .tooManyPixels }
    let (excess, shortest) = (Double(max(width, height)) / Double(side), min(width, height))
    let open = try Picture(
      vips_open(
        kind.loader, bytes.baseAddress, bytes.count,
        kind.shrink(for: excess, shortest: shortest), kind.scale(for: excess, shortest: shortest)))
    return try open.shown(side: side)
  }

  private static func decodedHEIF(
    _ bytes: UnsafeRawBufferPointer, side: Int
  ) throws(Refusal) -> Picture {
    let file = try HEIFFile(bytes)
    guard file.size.width * file.size.height <= Limits.pixels else { throw .tooManyPixels }
    let pixels = try file.pixels(asRGB: false)
    if let (planes, mixture) = pixels.planes {
      return try mixed(planes, by: mixture, profile: file.profile, side: side)
    }
    // Another colour encoding, which libheif may support, at twice the memory.
    let converted = try file.pixels(asRGB: true)
    guard let (planes, mixture) = converted.planes else { throw .damaged }
    return try mixed(planes, by: mixture, profile: file.profile, side: side)
  }

  /// Combines three planes of any size into one picture that fits into `side` × `side` pixels. Each
  /// plane is scaled to the final size before the conversion.
  private static func mixed(
    _ planes: [HEIFPixels.Plane], by mixture: ColourMixture, profile: [UInt8]?, side: Int
  ) throws(Refusal) -> Picture {
    guard let first = planes.first else { throw .damaged }
    let scale = min(1, Double(side) / Double(max(first.width, first.height)))
    let width = max(1, (Double(first.width) * scale).rounded())
    let height = max(1, (Double(first.height) * scale).rounded())
    var fitted: [UnsafeMutablePointer<VipsImage>?] = []
    defer { fitted.forEach { g_object_unref($0) } }
    for plane in planes {
      let image = vips_plane(
        plane.bytes.baseAddress, plane.stride, plane.width, plane.height,
        width / Double(plane.width), height / Double(plane.height))
      guard let image else { throw VipsLibrary.refusal() }
      fitted.append(image)
    }
    var (factors, summands, matrix) = (mixture.factors, mixture.summands, mixture.matrix)
    let mixed = try Picture(vips_mixed(&fitted, &factors, &summands, &matrix))
    if let profile {
      vips_image_set_blob_copy(mixed.image, "icc-profile-data", profile, profile.count)
    }
    return try mixed.shown(side: side)
  }

  /// Upright, in sRGB with eight bits per band, without transparency, fitted, in memory.
  private func shown(side: Int) throws(Refusal) -> Picture {
    try Picture(vips_fitted(image, Int32(side), profile)).plain().inMemory()
  }

  /// The profile to use if the embedded profile is missing or unusable. CMYK always needs a profile, RGB only if the
  /// file has one, and greyscale never.
  private var profile: String? {
    if vips_image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK { return "cmyk" }
    let hasProfile = vips_image_get_typeof(image, "icc-profile-data") != 0
    return hasProfile && vips_image_get_bands(image) >= 3 ? "srgb" : nil
  }

  /// A smaller one, fitted into `side` × `side` pixels.
  func fitted(into side: Int) throws(Refusal) -> Picture {
    try Picture(vips_fitted(image, Int32(side), nil)).inMemory()
  }

  /// Paints parts black. Their previous content is removed from this picture.
  mutating func blacken(_ parts: [BlackOut]) throws(Refusal) {
    let (width, height) = size
    for part in parts {
      let pixels = part.pixels(width: width, height: height)
      guard vips_blacken(image, pixels.left, pixels.top, pixels.width, pixels.height) == 0 else {
        throw VipsLibrary.refusal()
      }
    }
  }

  /// A progressive JPEG without metadata.
  func jpeg(quality: Int) throws(Refusal) -> [UInt8] {
    var bytes: UnsafeMutableRawPointer?
    var length = 0
    guard vips_as_jpeg(image, Int32(quality), &bytes, &length) == 0, let bytes else {
      throw VipsLibrary.refusal()
    }
    defer { g_free(bytes) }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: length))
  }

  /// Three bands of eight bits in sRGB.
  private consuming func plain() throws(Refusal) -> Picture {
    var picture = self
    if vips_image_hasalpha(picture.image) != 0 {
      picture = try Picture(vips_flattened(picture.image))
    }
    if vips_image_get_interpretation(picture.image) != VIPS_INTERPRETATION_sRGB {
      picture = try Picture(vips_in_srgb(picture.image))
    }
    picture = try Picture(vips_in_bytes(picture.image))
    if vips_image_get_bands(picture.image) > 3 {
      picture = try Picture(vips_bands(picture.image, 3))
    }
    return picture
  }

  /// A copy of the pixels in separate memory.
  private func inMemory() throws(Refusal) -> Picture {
    try Picture(vips_image_copy_memory(image))
  }
}
