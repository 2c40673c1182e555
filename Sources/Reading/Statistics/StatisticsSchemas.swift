import JSON
import Service

/// The OpenAPI schema of the response.
enum StatisticsSchemas {
  private typealias Schema = OpenAPISchemas

  static var all: [(key: String, value: JSONValue)] {
    [
      ("statistics", statistics), ("statisticsArea", area), ("statisticsGroup", group),
      ("statisticsStep", step),
    ]
  }

  private static let count: JSONValue = ["type": "integer", "minimum": 0]
  private static let optionalText: JSONValue = ["type": "string", "nullable": true]
  private static let optionalNumber: JSONValue = [
    "type": "number", "minimum": 0, "nullable": true,
  ]
  private static let day: JSONValue = ["type": "string", "format": "date"]
  private static let figureNames = [
    "total", "headline", "square_kilometres", "devices_per_square_kilometre", "groups", "rest",
    "series",
  ]

  private static var figures: [(key: String, value: JSONValue)] {
    let share = Schema.object(
      ["count": count, "share": ["type": "number", "minimum": 0, "maximum": 1, "nullable": true]],
      required: ["count", "share"])
    let rest: JSONValue = [
      "type": "object", "nullable": true, "properties": ["groups": count, "count": count],
      "required": ["groups", "count"],
    ]
    return [
      ("total", count),
      (
        "headline",
        Schema.object(
          ["operator_known": share, "retention_known": share, "choice_offered": share],
          required: ["operator_known", "retention_known", "choice_offered"])
      ),
      ("square_kilometres", optionalNumber), ("devices_per_square_kilometre", optionalNumber),
      ("groups", Schema.array(Schema.reference("statisticsGroup"))), ("rest", rest),
      ("series", Schema.array(Schema.reference("statisticsStep"))),
    ]
  }

  private static var statistics: JSONValue {
    let own: [(key: String, value: JSONValue)] = [
      ("definition", Schema.text),
      ("generated_at", ["type": "string", "format": "date-time"]),
      ("group_by", Schema.array(Schema.text)), ("overlapping", Schema.array(Schema.text)),
      ("interval", optionalText), ("from", optionalText), ("to", optionalText),
      ("time_zone", Schema.text),
    ]
    let more: [(key: String, value: JSONValue)] = [
      ("areas", Schema.array(Schema.reference("statisticsArea"))),
      ("grid", grid),
    ]
    let all = own + figures + more
    return Schema.object(.object(JSONObject(all)), required: all.map(\.key))
  }

  private static var area: JSONValue {
    Schema.object(
      .object(JSONObject([("area", Schema.text), ("name", optionalText)] + figures)),
      required: ["area", "name"] + figureNames)
  }

  /// The names of a group for the requested properties.
  private static var keys: [(key: String, value: JSONValue)] {
    StatisticsProperty.allCases.map { ($0.rawValue, optionalText) }
  }

  private static var group: JSONValue {
    Schema.object(
      .object(JSONObject(keys + [("count", count), ("suppressed", ["type": "boolean"])])),
      required: ["count", "suppressed"])
  }

  private static var step: JSONValue {
    Schema.object(
      .object(
        JSONObject(
          keys + [
            ("start", day), ("end", day), ("added", count), ("confirmed", count),
            ("removed", count), ("standing", ["type": "integer"]),
          ])),
      required: ["start", "end", "added", "confirmed", "removed", "standing"])
  }

  private static var grid: JSONValue {
    let cell = Schema.object(
      ["x": count, "y": count, "count": count], required: ["x", "y", "count"])
    return [
      "type": "object", "nullable": true,
      "properties": ["zoom": count, "coarser": count, "cells": Schema.array(cell)],
      "required": ["zoom", "coarser", "cells"],
    ]
  }
}
