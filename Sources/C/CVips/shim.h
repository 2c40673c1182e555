// libvips as packaged by Debian, with wrappers for what Swift cannot call: its operations, which are
// all variadic, and GLib macros.

#ifndef FAROL_CVIPS_H
#define FAROL_CVIPS_H

#include <vips/vips.h>
#include <vips/vector.h>

/// `vips_call` with a loader for bytes in memory: only the first frame, with sequential access from
/// the top down. A damaged or truncated file fails when its pixels are read. `shrink` (JPEG: 1, 2, 4
/// or 8) and `scale` (WebP: up to 1) make the decoder return fewer pixels. 0 omits the option. The
/// bytes must outlive the image.
static inline VipsImage *vips_open(
    const char *loader, const void *bytes, size_t length, int shrink, double scale) {
  VipsImage *image = NULL;
  VipsBlob *blob = vips_blob_new(NULL, bytes, length);
  int status;
  if (shrink > 0)
    status = vips_call(
        loader, blob, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR,
        "shrink", shrink, NULL);
  else if (scale > 0)
    status = vips_call(
        loader, blob, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR,
        "scale", scale, NULL);
  else
    status = vips_call(
        loader, blob, &image, "access", VIPS_ACCESS_SEQUENTIAL, "fail_on", VIPS_FAIL_ON_ERROR,
        NULL);
  vips_area_unref(VIPS_AREA(blob));
  return status == 0 ? image : NULL;
}

/// `vips_thumbnail_image`: upright and fitted into `size` × `size` pixels, never enlarged. With a
/// `profile` (for files without an embedded one) colours are converted to sRGB with profiles, without
/// it by their colour space.
static inline VipsImage *vips_fitted(VipsImage *of, int size, const char *profile) {
  VipsImage *image = NULL;
  int status;
  if (profile != NULL)
    status = vips_thumbnail_image(
        of, &image, size, "height", size, "size", VIPS_SIZE_DOWN, "import_profile", profile,
        "export_profile", "srgb", NULL);
  else
    status =
        vips_thumbnail_image(of, &image, size, "height", size, "size", VIPS_SIZE_DOWN, NULL);
  return status == 0 ? image : NULL;
}

/// One plane of bytes in memory with `stride` bytes per row, resized by a horizontal and a vertical
/// factor. The bytes must outlive the image.
static inline VipsImage *vips_plane(
    const void *bytes, int stride, int width, int height, double across, double down) {
  // libvips treats the padding at the end of rows as pixels.
  VipsImage *rows = vips_image_new_from_memory(
      bytes, (size_t)stride * (size_t)height, stride, height, 1, VIPS_FORMAT_UCHAR);
  VipsImage *plane = NULL, *image = NULL;
  if (rows != NULL && vips_crop(rows, &plane, 0, 0, width, height, NULL) == 0)
    vips_resize(plane, &image, across, "vscale", down, NULL);
  VIPS_UNREF(rows);
  VIPS_UNREF(plane);
  return image;
}

/// Converts luma and two colour differences, one plane each, to red, green and blue in bytes. First
/// applies the factor and the summand of each plane, then `matrix`, row by row.
static inline VipsImage *vips_mixed(
    VipsImage **planes, double *factors, double *summands, double *matrix) {
  VipsImage *joined = NULL, *ranged = NULL, *mixed = NULL, *bytes = NULL, *image = NULL;
  VipsImage *weights = vips_image_new_matrix_from_array(3, 3, matrix, 9);
  if (weights != NULL && vips_bandjoin(planes, &joined, 3, NULL) == 0 &&
      vips_linear(joined, &ranged, factors, summands, 3, NULL) == 0 &&
      vips_recomb(ranged, &mixed, weights, NULL) == 0 &&
      vips_cast_uchar(mixed, &bytes, NULL) == 0)
    vips_copy(bytes, &image, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
  VIPS_UNREF(weights);
  VIPS_UNREF(joined);
  VIPS_UNREF(ranged);
  VIPS_UNREF(mixed);
  VIPS_UNREF(bytes);
  return image;
}

/// `vips_flatten`: replaces transparency with white.
static inline VipsImage *vips_flattened(VipsImage *of) {
  VipsImage *image = NULL;
  double white[] = {255, 255, 255};
  VipsArrayDouble *background = vips_array_double_new(white, 3);
  int status = vips_flatten(of, &image, "background", background, NULL);
  vips_area_unref(VIPS_AREA(background));
  return status == 0 ? image : NULL;
}

/// `vips_colourspace`: sRGB, three bands.
static inline VipsImage *vips_in_srgb(VipsImage *of) {
  VipsImage *image = NULL;
  return vips_colourspace(of, &image, VIPS_INTERPRETATION_sRGB, NULL) == 0 ? image : NULL;
}

/// `vips_cast_uchar`: eight bits per band.
static inline VipsImage *vips_in_bytes(VipsImage *of) {
  VipsImage *image = NULL;
  return vips_cast_uchar(of, &image, NULL) == 0 ? image : NULL;
}

/// `vips_extract_band`: the first `count` bands.
static inline VipsImage *vips_bands(VipsImage *of, int count) {
  VipsImage *image = NULL;
  return vips_extract_band(of, &image, 0, "n", count, NULL) == 0 ? image : NULL;
}

/// `vips_draw_rect`: paints a rectangle black in place. Returns 0 on success.
static inline int vips_blacken(VipsImage *image, int left, int top, int width, int height) {
  double black[] = {0, 0, 0};
  return vips_draw_rect(image, black, 3, left, top, width, height, "fill", TRUE, NULL);
}

/// `vips_jpegsave_buffer`: a progressive JPEG without metadata, not even a density. The caller
/// must free the bytes with `g_free`.
static inline int vips_as_jpeg(VipsImage *image, int quality, void **bytes, size_t *length) {
  return vips_jpegsave_buffer(
      image, bytes, length, "Q", quality, "strip", TRUE, "interlace", TRUE, "optimize_coding",
      TRUE, "subsample_mode", VIPS_FOREIGN_SUBSAMPLE_AUTO, NULL);
}

#endif
