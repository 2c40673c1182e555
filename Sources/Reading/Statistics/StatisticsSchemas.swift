import JSON
import Service

/// The OpenAPI schema of the response.
enum StatisticsSchemas {
  static var all: [(key: String, value: JSONValue)] {
    let text = JSONSchema.text
    let keys = StatisticsProperty.allCases.map { ($0.rawValue, text.orNull.optional) }
    return JSONSchema.named([
      "statistics": .object(
        [
          ("definition", text), ("generated_at", .time), ("group_by", .list(of: text)),
          ("overlapping", .list(of: text)), ("interval", text.orNull), ("from", text.orNull),
          ("to", text.orNull), ("time_zone", text),
        ] + figures + [
          ("areas", .list(of: .reference("statisticsArea"))), ("grid", grid.orNull),
        ]),
      "statisticsArea": .object([("area", text), ("name", text.orNull)] + figures),
      "statisticsGroup": .object(keys + [("count", .count), ("suppressed", .flag)]),
      "statisticsStep": .object(
        keys + [
          ("start", .day), ("end", .day), ("added", .count), ("confirmed", .count),
          ("removed", .count), ("standing", .integer),
        ]),
    ])
  }

  private static var figures: [(String, JSONSchema)] {
    let part = JSONSchema.number.with("minimum", 0)
    let share: JSONSchema = ["count": .count, "share": part.with("maximum", 1).orNull]
    let rest: JSONSchema = ["groups": .count, "count": .count]
    return [
      ("total", .count),
      (
        "headline",
        ["operator_known": share, "retention_known": share, "choice_offered": share]
      ), ("square_kilometres", part.orNull), ("devices_per_square_kilometre", part.orNull),
      ("groups", .list(of: .reference("statisticsGroup"))), ("rest", rest.orNull),
      ("series", .list(of: .reference("statisticsStep"))),
    ]
  }

  private static let grid: JSONSchema = [
    "zoom": .count, "coarser": .count,
    "cells": .list(of: ["x": .count, "y": .count, "count": .count]),
  ]
}
