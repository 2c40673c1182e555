import Devices
import Service
import SpatialDatabase

/// Repeats the erasures that happened after a backup.
struct ErasureReplay {
  let instance: OpenedInstance

  /// - Returns: the number of objects that the database still contained.
  func erase(_ entries: [ErasureList.Entry]) throws -> Int {
    try ErasureList.effective(entries).count { entry in
      try instance.map.write { connection in
        for feature in instance.features {
          if let wasThere = try feature.eraseAgain(entry, connection) { return wasThere }
        }
        return false
      }
    }
  }
}
