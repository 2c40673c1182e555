import Glibc

func pause(_ time: Duration) {
  let (seconds, attoseconds) = time.components
  usleep(UInt32(clamping: seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
}
