import Compression
import Foundation
import SpatialDatabase

/// A gazetteer of a few places, like the one made at set-up.
enum TestPlaces {
  /// A further town: its name, region, country, longitude and latitude.
  typealias Town = (name: String, region: String, country: String, Double, Double)

  static func make(in folder: URL, adding towns: [Town] = []) throws {
    let database = try Database(path: folder.appendingPathComponent("places.db").path)
    try database.write { connection in
      for statement in schema { try connection.execute(statement) }
      for (rank, place) in (places + towns.map(Place.init(town:))).enumerated() {
        try connection.execute(
          """
          INSERT INTO place (id, kind, name, name_pt, region, country, country_name_en,
            country_name_pt, longitude, latitude, population, west, south, east, north, rank, weight)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """,
          [.integer(Int64(rank) + 1), .text(place.kind)] + place.row + [
            SQLValue(rank + 1), .real(place.weight),
          ])
        try connection.execute(
          """
          INSERT INTO place_point (id, west, east, south, north)
          SELECT id, longitude, longitude, latitude, latitude FROM place
          WHERE rank = ? AND kind = 'city'
          """, [SQLValue(rank + 1)])
        try connection.execute(
          "INSERT INTO place_name (rowid, name, alternate) VALUES (?, ?, ?)",
          [SQLValue(rank + 1), .text(place.name), .text(place.other)])
        try connection.execute(
          "INSERT INTO place_word (rowid, name, alternate, context) VALUES (?, ?, ?, '')",
          [SQLValue(rank + 1), .text(place.name), .text(place.other)])
      }
    }
    try database.close()
  }

  private struct Place {
    let name, other: String
    let kind: String
    let weight: Double
    let row: [SQLValue]

    init(name: String, other: String, kind: String = "city", weight: Double, row: [SQLValue]) {
      (self.name, self.other, self.kind, self.weight, self.row) = (name, other, kind, weight, row)
    }

    init(town: Town) {
      let (name, region, country, longitude, latitude) = town
      self.init(
        name: name, other: "", weight: 3,
        row: [
          .text(name), nil, .text(region), .text(country), .text(country), .text(country),
          .real(longitude), .real(latitude), 1_000, .real(longitude), .real(latitude),
          .real(longitude), .real(latitude),
        ])
    }
  }

  private static let places = [
    Place(
      name: "São Paulo", other: "Sao Paulo", weight: 7,
      row: [
        "São Paulo", nil, "São Paulo", "BR", "Brazil", "Brasil", -46.63611, -23.5475, 10_021_295,
        -47, -24, -46, -23,
      ]),
    Place(
      name: "Lisbon", other: "Lisboa", weight: 5.7,
      row: [
        "Lisbon", "Lisboa", "Lisbon", "PT", "Portugal", "Portugal", -9.13333, 38.71667, 517_802,
        -9.3, 38.6, -9.0, 38.8,
      ]),
    Place(
      name: "Lisbon Falls", other: "", weight: 3.6,
      row: [
        "Lisbon Falls", nil, "Maine", "US", "United States", "Estados Unidos", -70.06, 43.99, 4_100,
        -70.1, 43.9, -70.0, 44.0,
      ]),
    Place(
      name: "Zürich", other: "", kind: "region", weight: 5.59,
      row: [
        "Zürich", nil, nil, "CH", "Switzerland", "Suíça", 8.65279, 47.37774, 2_539_181,
        8.35, 47.16, 8.97, 47.7,
      ]),
    Place(
      name: "Zürich", other: "", weight: 5.6,
      row: [
        "Zürich", nil, "Zürich", "CH", "Switzerland", "Suíça", 8.55, 47.36667, 415_367,
        8.45, 47.3, 8.65, 47.43,
      ]),
    Place(
      name: "Corner", other: "", weight: 3,
      row: [
        "Corner", nil, nil, "FI", "Finland", "Finlândia", 20.049, 60.049, 1_000,
        20, 60, 20.1, 60.1,
      ]),
    Place(
      name: "Edge", other: "", weight: 3,
      row: [
        "Edge", nil, nil, "FI", "Finland", "Finlândia", 20.051, 60, 1_000,
        20, 59.9, 20.1, 60.1,
      ]),
  ]

  private static let schema = [
    """
    CREATE TABLE place (
      id INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, name_pt TEXT, region TEXT,
      country TEXT NOT NULL, country_name_en TEXT NOT NULL, country_name_pt TEXT NOT NULL,
      longitude REAL NOT NULL, latitude REAL NOT NULL, population INTEGER NOT NULL,
      west REAL NOT NULL, south REAL NOT NULL, east REAL NOT NULL, north REAL NOT NULL,
      rank INTEGER NOT NULL UNIQUE, weight REAL NOT NULL)
    """,
    "CREATE VIRTUAL TABLE place_point USING rtree(id, west, east, south, north)",
    """
    CREATE VIRTUAL TABLE place_name USING fts5(
      name, alternate, content = '', columnsize = 0, detail = 'column', prefix = '1 2 3',
      tokenize = "unicode61 remove_diacritics 2 categories 'L* M* N* P* S* Z* C*' separators '\n'")
    """,
    """
    CREATE VIRTUAL TABLE place_word USING fts5(
      name, alternate, context, content = '', columnsize = 0, prefix = '1 2 3',
      tokenize = 'unicode61 remove_diacritics 2')
    """,
    "CREATE VIRTUAL TABLE place_term USING fts5vocab(place_word, row)",
  ]
}

/// A base map of one tile, in the MBTiles format.
enum TestTiles {
  static func make(in folder: URL) throws {
    let database = try Database(path: folder.appendingPathComponent("basemap.mbtiles").path)
    try database.write { connection in
      try connection.execute("CREATE TABLE metadata (name TEXT, value TEXT)")
      for (name, value) in [
        ("minzoom", "0"), ("maxzoom", "1"), ("format", "pbf"), ("attribution", "© Makers"),
        ("json", #"{"vector_layers": [{"id": "land"}]}"#),
      ] {
        try connection.execute(
          "INSERT INTO metadata VALUES (?, ?)", [.text(name), .text(value)])
      }
      try connection.execute(
        """
        CREATE TABLE tiles (
          zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB)
        """)
      try connection.execute(
        "INSERT INTO tiles VALUES (1, 0, 1, ?)",
        [.blob(Gzip.compress(Array("north-west".utf8)))])
    }
    try database.close()
  }
}
