/// The tables that every GeoPackage has (OGC 12-128r18, annex C), and one feature table.
enum GeoPackageSchema {
  /// The statements in order; `columns` are the feature columns other than the key and the geometry.
  static func statements(columns: [String]) -> [String] {
    let features = """
      CREATE TABLE devices (
        fid INTEGER PRIMARY KEY AUTOINCREMENT NOT NULL, geom POINT, \(columns.joined(separator: ", ")))
      """
    return tables + [features] + tree
  }

  private static let tables = [
    """
    CREATE TABLE gpkg_spatial_ref_sys (
      srs_name TEXT NOT NULL, srs_id INTEGER NOT NULL PRIMARY KEY, organization TEXT NOT NULL,
      organization_coordsys_id INTEGER NOT NULL, definition TEXT NOT NULL, description TEXT)
    """,
    """
    INSERT INTO gpkg_spatial_ref_sys VALUES
      ('Undefined Cartesian SRS', -1, 'NONE', -1, 'undefined',
        'undefined Cartesian coordinate reference system'),
      ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined',
        'undefined geographic coordinate reference system'),
      ('WGS 84 geodetic', 4326, 'EPSG', 4326,
        'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],AUTHORITY["EPSG","4326"]]',
        'longitude/latitude coordinates in decimal degrees on the WGS 84 spheroid')
    """,
    """
    CREATE TABLE gpkg_contents (
      table_name TEXT NOT NULL PRIMARY KEY, data_type TEXT NOT NULL, identifier TEXT UNIQUE,
      description TEXT DEFAULT '',
      last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      min_x DOUBLE, min_y DOUBLE, max_x DOUBLE, max_y DOUBLE, srs_id INTEGER,
      CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id))
    """,
    """
    CREATE TABLE gpkg_geometry_columns (
      table_name TEXT NOT NULL, column_name TEXT NOT NULL, geometry_type_name TEXT NOT NULL,
      srs_id INTEGER NOT NULL, z TINYINT NOT NULL, m TINYINT NOT NULL,
      CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
      CONSTRAINT uk_gc_table_name UNIQUE (table_name),
      CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
      CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id))
    """,
    """
    CREATE TABLE gpkg_extensions (
      table_name TEXT, column_name TEXT, extension_name TEXT NOT NULL, definition TEXT NOT NULL,
      scope TEXT NOT NULL, CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name))
    """,
    """
    INSERT INTO gpkg_extensions VALUES
      ('devices', 'geom', 'gpkg_rtree_index',
        'http://www.geopackage.org/spec130/#extension_rtree', 'write-only'),
      ('gpkg_metadata', NULL, 'gpkg_metadata',
        'http://www.geopackage.org/spec130/#extension_metadata', 'read-write'),
      ('gpkg_metadata_reference', NULL, 'gpkg_metadata',
        'http://www.geopackage.org/spec130/#extension_metadata', 'read-write')
    """,
    """
    CREATE TABLE gpkg_metadata (
      id INTEGER CONSTRAINT m_pk PRIMARY KEY ASC NOT NULL,
      md_scope TEXT NOT NULL DEFAULT 'dataset', md_standard_uri TEXT NOT NULL,
      mime_type TEXT NOT NULL DEFAULT 'text/xml', metadata TEXT NOT NULL DEFAULT '')
    """,
    """
    CREATE TABLE gpkg_metadata_reference (
      reference_scope TEXT NOT NULL, table_name TEXT, column_name TEXT, row_id_value INTEGER,
      timestamp DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
      md_file_id INTEGER NOT NULL, md_parent_id INTEGER,
      CONSTRAINT crmr_mfi_fk FOREIGN KEY (md_file_id) REFERENCES gpkg_metadata(id),
      CONSTRAINT crmr_mpi_fk FOREIGN KEY (md_parent_id) REFERENCES gpkg_metadata(id))
    """,
  ]

  private static let tree = [
    "CREATE VIRTUAL TABLE rtree_devices_geom USING rtree(id, minx, maxx, miny, maxy)"
  ]

  /// Triggers that update the R-tree when other programs change the table (annex F.3). They are created last,
  /// because they call functions that only those programs define.
  static var triggers: [String] {
    let entry = """
      INSERT OR REPLACE INTO rtree_devices_geom VALUES (
        NEW.fid, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom));
      """
    let there = "(NEW.geom NOTNULL AND NOT ST_IsEmpty(NEW.geom))"
    let gone = "(NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))"
    let table = "ON devices"
    return [
      """
      CREATE TRIGGER rtree_devices_geom_insert AFTER INSERT \(table) WHEN \(there) BEGIN
        \(entry) END
      """,
      """
      CREATE TRIGGER rtree_devices_geom_update1 AFTER UPDATE OF geom \(table)
      WHEN OLD.fid = NEW.fid AND \(there) BEGIN \(entry) END
      """,
      """
      CREATE TRIGGER rtree_devices_geom_update2 AFTER UPDATE OF geom \(table)
      WHEN OLD.fid = NEW.fid AND \(gone) BEGIN
        DELETE FROM rtree_devices_geom WHERE id = OLD.fid; END
      """,
      """
      CREATE TRIGGER rtree_devices_geom_update3 AFTER UPDATE \(table)
      WHEN OLD.fid != NEW.fid AND \(there) BEGIN
        DELETE FROM rtree_devices_geom WHERE id = OLD.fid; \(entry) END
      """,
      """
      CREATE TRIGGER rtree_devices_geom_update4 AFTER UPDATE \(table)
      WHEN OLD.fid != NEW.fid AND \(gone) BEGIN
        DELETE FROM rtree_devices_geom WHERE id IN (OLD.fid, NEW.fid); END
      """,
      """
      CREATE TRIGGER rtree_devices_geom_delete AFTER DELETE \(table) WHEN OLD.geom NOT NULL BEGIN
        DELETE FROM rtree_devices_geom WHERE id = OLD.fid; END
      """,
    ]
  }
}
