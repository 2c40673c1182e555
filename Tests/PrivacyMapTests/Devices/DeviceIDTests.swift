import PrivacyMap
import Testing

@Suite struct DeviceIDTests {
  private static let random = (0..<10).map { UInt8($0 * 23 + 5) }

  @Test func `an id is a version 7 UUID with the time in whole seconds`() throws {
    let moment = Timestamp(secondsSinceEpoch: 1_795_228_273)
    let id = DeviceID(madeAt: moment, random: Self.random)
    #expect(id.high >> 16 == 1_795_228_273_000)
    #expect(id.high >> 12 & 0xF == 7)
    #expect(id.low >> 62 == 0b10)
    #expect(id.text.utf8.count == 36)
    #expect(DeviceID(text: id.text) == id)
    #expect(DeviceID(text: id.text.uppercased()) == id)
  }

  @Test func `later ids sort after earlier ones`() {
    let ids = (0..<100).map { second in
      DeviceID(madeAt: Timestamp(secondsSinceEpoch: 1_000 + second), random: Self.random).text
    }
    #expect(ids == ids.sorted())
    #expect(Set(ids).count == 100)
  }

  @Test func `all seventy-four random bits are used`() {
    let moment = Timestamp(secondsSinceEpoch: 1_795_228_273)
    let zeros = DeviceID(madeAt: moment, random: [UInt8](repeating: 0, count: 10))
    let ones = DeviceID(madeAt: moment, random: [UInt8](repeating: 255, count: 10))
    let bits = (zeros.high ^ ones.high).nonzeroBitCount + (zeros.low ^ ones.low).nonzeroBitCount
    #expect(bits == 74)
  }

  @Test(arguments: [
    "", "0193", "01935f6e-0000-7000-8000-00000000000", "01935f6e-0000-7000-8000-0000000000000",
    "01935f6e00007000800000000000000000000", "01935f6e-0000-7000-8000-00000000000g",
    "{01935f6e-0000-7000-8000-000000000000}", "01935f6e_0000_7000_8000_000000000000",
    "０1935f6e-0000-7000-8000-00000000000",
  ])
  func `other texts are not ids`(text: String) {
    #expect(DeviceID(text: text) == nil)
  }

  @Test func `few random bits and unusual times give a valid id all the same`() {
    for seconds in [Int64.min, -1, 0, .max] {
      let id = DeviceID(madeAt: Timestamp(secondsSinceEpoch: seconds), random: [])
      #expect(DeviceID(text: id.text) == id)
    }
  }
}
