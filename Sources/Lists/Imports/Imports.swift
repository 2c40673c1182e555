import Devices
import Foundation
import Logging
import PrivacyMap
package import Service
import SpatialDatabase

/// Imports that admins start in the browser.
package struct Imports: Feature {
  let map: LiveMap
  package let worker: ImportWorker
  let mappings: ImportMappings

  /// `mappings` is the folder of import mappings. Imports that a stop of the program interrupted are
  /// marked as failed.
  package init(_ instance: Instance) throws {
    map = try instance.given()
    mappings = ImportMappings(folder: instance.folders.seed.appendingPathComponent("mappings"))
    worker = ImportWorker(map: map, logger: instance.logger)
    try worker.endBroken()
  }

  package func stop() { worker.stop() }

  package var endpoints: [Endpoint] {
    ImportRoutes(map: map, worker: worker, mappings: mappings).endpoints
      + ImportDeviceRoutes(map: map).endpoints + InspectionRoutes().endpoints
  }

  package var schemas: [Schema] {
    let text = JSONSchema.text.optional
    return JSONSchema.named([
      "importForm": [
        "file": .file, "mapping": text, "mapping_file": text,
        "dry_run": JSONSchema.oneOf(["true", "false"]).optional, "source": text, "licence": text,
      ],
      "inspectionForm": ["file": .file, "input": text],
      "importUndo": ["reason": JSONSchema.text(1...500).optional],
      "importMissing": [
        "action": JSONSchema.oneOf(MissingDevices.Action.self),
        "reason": JSONSchema.text(1...500).optional,
      ],
      "importMapping": .object,
    ]) + [
      ImportReport.shape.component, ImportList.shape.component, ImportedDevices.shape.component,
      ImportMap.shape.component, Inspected.shape.component,
    ]
  }

  package var jobs: [Job] {
    [
      Job(ImportWorker.job, every: .days(1)) { [map] in
        let today = map.environment.now().day
        try map.database.write { connection in
          try ImportRunStore().forgetDryRuns(
            before: today.adding(days: -Int(ImportWorker.dryRunDays)), connection)
        }
      }
    ]
  }
}
