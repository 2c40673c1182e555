import Glibc

/// The parser under test, named by `FAROL_FUZZ_TARGET`.
private let target: FuzzTarget = {
  let name = getenv("FAROL_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  guard let target = FuzzTarget(rawValue: name) else {
    print("FAROL_FUZZ_TARGET is one of \(FuzzTarget.allCases.map(\.rawValue)).")
    exit(2)
  }
  return target
}()

/// The function that libFuzzer calls with each input that it generates.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}
