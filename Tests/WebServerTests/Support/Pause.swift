import Glibc

func pause(_ time: Duration) {
  let (seconds, attoseconds) = time.components
  usleep(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
}

/// Waits until a condition is true, ten seconds at most.
func waitUntil(_ condition: () -> Bool) {
  for _ in 0..<200 where !condition() { pause(.milliseconds(50)) }
}
