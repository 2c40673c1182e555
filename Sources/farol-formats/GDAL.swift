internal import CGDAL
internal import Glibc

/// GDAL with only the drivers that lists need.
enum GDAL {
  /// The last error or failure that GDAL reported.
  nonisolated(unsafe) static var lastFault: String?
  /// Whether memory has run out since the start. GDAL continues with what it has.
  nonisolated(unsafe) private(set) static var hasRunOut = false

  /// Starts GDAL. It opens the tables of coordinate systems here, because no file can be opened later.
  static func start() {
    for (key, value) in configuration { CPLSetConfigOption(key, value) }
    CPLSetErrorHandler(note)
    RegisterOGRGeoPackage()
    RegisterOGRFlatGeobuf()
    RegisterOGRLIBKML()
    RegisterOGRGPX()
    RegisterOGRShape()
    RegisterOGRXLSX()
    RegisterOGRODS()
    InputFiles.install()
    warmUp()
    // After PROJ has opened its own database, which has views.
    SQLiteViews.deny()
    lastFault = nil
  }

  /// Prepares the writing of results.
  static func startWriting() {
    RegisterOGRCSV()
    ResultFiles.install()
    // The FlatGeobuf driver collects the features of a file with an index in a temporary file.
    CPLSetConfigOption("CPL_TMPDIR", "/vsiresult")
    lastFault = nil
  }

  private static let configuration: [(String, String)] = [
    // No other drivers, no network, no files next to the one.
    ("GDAL_DRIVER_PATH", "disable"), ("GDAL_PYTHON_DRIVER_PATH", "disable"),
    ("CPL_VSIL_CURL_ALLOWED_EXTENSIONS", ".none"), ("GDAL_HTTP_MAX_RETRY", "0"),
    ("OGR_SQLITE_ALLOW_EXTERNAL_ACCESS", "NO"),
    ("OGR_SQLITE_PRAGMA", "trusted_schema=OFF,cell_size_check=ON,temp_store=2"),
    ("GDAL_DISABLE_READDIR_ON_OPEN", "YES"), ("SHAPE_RESTORE_SHX", "NO"),
    ("PROJ_NETWORK", "OFF"), ("GDAL_CACHEMAX", "16"), ("GDAL_NUM_THREADS", "1"),
    ("CPL_DEBUG", "OFF"), ("OGR_XLSX_HEADERS", "FORCE"), ("OGR_ODS_HEADERS", "FORCE"),
    ("GPX_ELE_AS_25D", "NO"),
  ]

  /// Converts one point, so that PROJ opens its tables.
  private static func warmUp() {
    guard let from = OSRNewSpatialReference(nil), let to = OSRNewSpatialReference(nil) else {
      return
    }
    OSRImportFromEPSG(from, 3_035)
    OSRImportFromEPSG(to, 4_326)
    if let conversion = OCTNewCoordinateTransformation(from, to) {
      var (x, y) = (4_321_000.0, 3_210_000.0)
      OCTTransform(conversion, 1, &x, &y, nil)
      OCTDestroyCoordinateTransformation(conversion)
    }
    OSRDestroySpatialReference(from)
    OSRDestroySpatialReference(to)
  }

  private static let note: CPLErrorHandler = { severity, number, message in
    guard severity == CE_Failure || severity == CE_Fatal, let message else { return }
    // Rows of a sheet need no numbers (ECMA-376, part 1, 18.3.1.73); GDAL reports it and reads on.
    guard strcmp(message, "Invalid row: 0") != 0 else { return }
    GDAL.lastFault = number == CPLE_OutOfMemory ? "memory" : String(cString: message)
    if GDAL.lastFault.map(GDAL.isAboutMemory) == true { GDAL.hasRunOut = true }
  }

  private static func isAboutMemory(_ fault: String) -> Bool {
    let words = fault.lowercased()
    return words.contains("memory") || words.contains("cannot allocate")
  }

  /// The refusal for a GDAL error.
  static func refusal(_ otherwise: Refusal = Refusal(.damaged)) -> Refusal {
    guard let fault = lastFault else { return otherwise }
    if isAboutMemory(fault) { return Refusal(.memory) }
    // Paths are ours; the user knows none of them.
    return Refusal(
      .damaged, fault.split(separator: InputFiles.prefix).joined(separator: ""))
  }
}
