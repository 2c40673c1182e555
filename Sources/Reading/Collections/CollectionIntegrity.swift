package import Service
import SpatialDatabase

extension Collections {
  package static let integrity = IntegrityRules(
    counts: [
      (
        19, .derived(.collections), "collections have a wrong count of features",
        """
        SELECT count(*) FROM collection
        WHERE state = 'ready' AND feature_count <>
          (SELECT count(*) FROM collection_feature WHERE collection_rowid = collection.rowid)
        """
      ),
      (
        19, .derived(.collections),
        "features of collections have a wrong box in the box tree",
        """
        SELECT count(*) FROM collection_feature
        WHERE (geometry IS NOT NULL) <> (rowid IN (SELECT rowid FROM collection_feature_box))
        """
      ),
      (
        19, .derived(.collections), "boxes belong to no feature of a collection",
        """
        SELECT count(*) FROM collection_feature_box
        WHERE rowid NOT IN (SELECT rowid FROM collection_feature)
        """
      ),
    ],
    spatialCounts: [
      (
        19, .derived(.collections), "features of collections extend beyond their boxes",
        """
        SELECT count(*) FROM collection_feature
        JOIN collection_feature_box AS box ON box.rowid = collection_feature.rowid
        WHERE ST_MinX(geometry) < west OR ST_MaxX(geometry) > east
          OR ST_MinY(geometry) < south OR ST_MaxY(geometry) > north
        """
      )
    ],
    trees: [(19, "collection_feature_box", .collections)],
    repairs: [
      IntegrityRules.Repair(
        .collections,
        rows: """
          SELECT collection_feature.rowid FROM collection_feature
          LEFT JOIN collection_feature_box AS box ON box.rowid = collection_feature.rowid
          WHERE (geometry IS NOT NULL) <> (box.rowid IS NOT NULL)
            OR ST_MinX(geometry) < west OR ST_MaxX(geometry) > east
            OR ST_MinY(geometry) < south OR ST_MaxY(geometry) > north
          UNION
          SELECT rowid FROM collection_feature_box
          WHERE rowid NOT IN (SELECT rowid FROM collection_feature)
          """,
        "DELETE FROM collection_feature_box WHERE rowid = ?",
        """
        INSERT INTO collection_feature_box (rowid, west, east, south, north)
        SELECT rowid, ST_MinX(geometry), ST_MaxX(geometry), ST_MinY(geometry), ST_MaxY(geometry)
        FROM collection_feature WHERE rowid = ? AND geometry IS NOT NULL
        """),
      IntegrityRules.Repair(
        .collections,
        rows: """
          SELECT rowid FROM collection WHERE state = 'ready' AND feature_count <>
            (SELECT count(*) FROM collection_feature WHERE collection_rowid = collection.rowid)
          """,
        """
        UPDATE collection SET feature_count =
          (SELECT count(*) FROM collection_feature WHERE collection_rowid = collection.rowid)
        WHERE rowid = ?
        """),
    ])
}
