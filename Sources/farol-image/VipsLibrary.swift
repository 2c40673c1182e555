import CVips
import Glibc

/// Initialises libvips with only the operations that one kind of picture needs.
enum VipsLibrary {
  /// - Throws: ``Failure`` when libvips does not start.
  static func start(for kind: ImageKind) throws(Failure) {
    // This folder contains no modules, so those for PDF, ImageMagick and others are not loaded.
    setenv("VIPSHOME", "/nonexistent", 1)
    // Suppresses warnings on standard error.
    setenv("VIPS_WARNING", "1", 1)
    guard vips_init("farol-image") == 0 else { throw Failure(sentence: "libvips does not start") }
    vips_concurrency_set(1)
    vips_cache_set_max(0)
    vips_vector_set_enabled(0)
    vips_block_untrusted_set(1)
    vips_operation_block_set("VipsForeignLoad", 1)
    if kind != .heif { vips_operation_block_set(kind.loaderClass, 0) }
  }

  /// The meaning of the last libvips error for the file: too large for the memory, or damaged.
  static func refusal() -> Refusal {
    let text = String(cString: vips_error_buffer()).lowercased()
    vips_error_clear()
    let memory = ["out of memory", "insufficient memory", "memory allocation"]
    return memory.contains(where: text.contains) ? .tooManyPixels : .damaged
  }
}
