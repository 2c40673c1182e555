import CHeif

/// A HEIF file, read with libheif directly. libvips makes libheif convert every pixel to red, green
/// and blue, which needs twice the memory of the decoder's output, and cameras that write HEIF
/// create the largest pictures.
struct HEIFFile: ~Copyable {
  private let context: OpaquePointer
  /// The primary image of the file.
  private let handle: OpaquePointer

  /// Reads the header without decoding pixels. `bytes` must outlive the file.
  init(_ bytes: UnsafeRawBufferPointer) throws(Refusal) {
    guard let context = heif_context_alloc() else { throw .tooManyPixels }
    heif_context_set_max_decoding_threads(context, 0)
    var handle: OpaquePointer?
    guard
      heif_context_read_from_memory_without_copy(context, bytes.baseAddress, bytes.count, nil)
        .code == heif_error_Ok,
      heif_context_get_primary_image_handle(context, &handle).code == heif_error_Ok, let handle
    else {
      heif_context_free(context)
      throw .damaged
    }
    self.context = context
    self.handle = handle
  }

  deinit {
    heif_image_handle_release(handle)
    heif_context_free(context)
  }

  /// Width and height in pixels of the upright picture.
  var size: (width: Int, height: Int) {
    (Int(heif_image_handle_get_width(handle)), Int(heif_image_handle_get_height(handle)))
  }

  /// The colour profile, if any.
  var profile: [UInt8]? {
    let size = heif_image_handle_get_raw_color_profile_size(handle)
    guard size > 0, size <= Limits.bytes else { return nil }
    var profile = [UInt8](repeating: 0, count: size)
    let status = heif_image_handle_get_raw_color_profile(handle, &profile)
    return status.code == heif_error_Ok ? profile : nil
  }

  /// The pixels, upright, with eight bits per channel: as coded by cameras with a quarter of the
  /// colour resolution, or as red, green and blue.
  func pixels(asRGB: Bool) throws(Refusal) -> HEIFPixels {
    guard let options = heif_decoding_options_alloc() else { throw .tooManyPixels }
    defer { heif_decoding_options_free(options) }
    options.pointee.convert_hdr_to_8bit = 1
    options.pointee.strict_decoding = 1
    var image: OpaquePointer?
    let status = heif_decode_image(
      handle, &image, asRGB ? heif_colorspace_RGB : heif_colorspace_YCbCr,
      asRGB ? heif_chroma_444 : heif_chroma_420, options)
    guard status.code == heif_error_Ok, let image else {
      throw status.code == heif_error_Memory_allocation_error ? .tooManyPixels : .damaged
    }
    return HEIFPixels(image: image)
  }
}

/// Decoded pixels of a HEIF.
struct HEIFPixels: ~Copyable {
  fileprivate let image: OpaquePointer

  deinit { heif_image_release(image) }

  /// One channel.
  struct Plane {
    let bytes: UnsafeRawBufferPointer
    /// Bytes per row, including padding.
    let stride: Int32
    let width, height: Int32
  }

  /// Three planes, and their conversion to red, green and blue.
  ///
  /// - Returns: nil for an unknown conversion, or for more than eight bits.
  var planes: ([Plane], ColourMixture)? {
    var channels = [heif_channel_Y, heif_channel_Y, heif_channel_Y]
    var mixture: ColourMixture? = .none
    switch heif_image_get_colorspace(image) {
    case heif_colorspace_monochrome: mixture = .identity
    case heif_colorspace_RGB:
      channels = [heif_channel_R, heif_channel_G, heif_channel_B]
      mixture = .identity
    case heif_colorspace_YCbCr:
      channels = [heif_channel_Y, heif_channel_Cb, heif_channel_Cr]
      mixture = stated
    default: break
    }
    var planes: [Plane] = []
    for channel in channels {
      guard let plane = plane(channel) else { return nil }
      planes.append(plane)
    }
    guard let mixture else { return nil }
    return (planes, mixture)
  }

  private func plane(_ channel: heif_channel) -> Plane? {
    let (width, height) = (
      heif_image_get_width(image, channel), heif_image_get_height(image, channel)
    )
    var stride: Int32 = 0
    guard width > 0, height > 0, heif_image_get_bits_per_pixel_range(image, channel) == 8,
      let start = heif_image_get_plane_readonly(image, channel, &stride), stride >= width
    else { return nil }
    return Plane(
      bytes: UnsafeRawBufferPointer(start: start, count: Int(stride) * Int(height)),
      stride: stride, width: width, height: height)
  }

  /// The conversion stated by the file or its pixels.
  private var stated: ColourMixture? {
    var stated: UnsafeMutablePointer<heif_color_profile_nclx>?
    guard heif_image_get_nclx_color_profile(image, &stated).code == heif_error_Ok, let stated else {
      return ColourMixture(code: 6, isFullRange: true)
    }
    defer { heif_nclx_color_profile_free(stated) }
    return ColourMixture(
      code: stated.pointee.matrix_coefficients.rawValue,
      isFullRange: stated.pointee.full_range_flag != 0)
  }
}
