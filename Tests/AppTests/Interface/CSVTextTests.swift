@testable import Service
import Testing

/// Cells of comma-separated values.
@Suite struct CSVTextTests {
  private func cell(_ text: String) -> String {
    var csv = CSVText(capacity: 16)
    csv.append(text)
    return csv.text
  }

  @Test(arguments: [
    ("plain", "plain"), ("", ""), ("a b;c'd", "a b;c'd"), ("a,b", "\"a,b\""),
    ("say \"hi\"", "\"say \"\"hi\"\"\""), ("two\nlines", "\"two\nlines\""), ("a\rb", "\"a\rb\""),
    ("São João", "São João"),
  ])
  func `text is quoted where necessary`(text: String, expected: String) {
    #expect(cell(text) == expected)
  }

  @Test(arguments: [
    "=1+1", "+351 21", "-2+3", "-", "--1", "-1.", "-.5", "-1.2.3", "-1e5", "-A1", "@SUM(A1)", "@1",
    "=1", "\t=1", "\r=1", "\n=1", "=\"a\"", "＝1+1", "＋351", "－2", "＠SUM(A1)",
  ])
  func `text that a spreadsheet reads as a formula begins with an apostrophe`(text: String) {
    let cell = cell(text)
    #expect(cell.hasPrefix("\"'"))
    #expect(cell.hasSuffix("\""))
  }

  @Test(arguments: ["-1", "+2", "-0.5", "+12.25"])
  func `a plain number is not a formula`(text: String) {
    #expect(cell(text) == text)
  }

  @Test(arguments: ["1=1", "a+b", " =1", "'=1", "(=1)", "：=1", "１＝１", "！", "ａ"])
  func `a sign in another position is left unchanged`(text: String) {
    #expect(cell(text) == text)
  }

  @Test(arguments: [
    (0.0, "0"), (-0.0, "0"), (7.5, "7.5"), (-16.9, "-16.9"), (-0.0000001, "-0.0000001"),
    (179.9999999, "179.9999999"), (-180, "-180"), (1.00000004, "1"), (12.3456789, "12.3456789"),
    (100.05, "100.05"), (-9.00000012, "-9.0000001"),
  ])
  func `degrees have at most seven decimals and no exponent`(value: Double, expected: String) {
    var csv = CSVText(capacity: 16)
    csv.append(degrees: value)
    #expect(csv.text == expected)
  }

  @Test(arguments: [
    ("[]", ""), ("[\"video\"]", "video"), ("[\"video\",\"speech\"]", "video;speech"),
    ("[90.0]", "90"), ("[90.5, 180.0]", "90.5;180"), ("[0.05]", "0.05"), ("[10]", "10"),
  ])
  func `lists are joined by semicolons`(json: String, expected: String) {
    var csv = CSVText(capacity: 16)
    Array(json.utf8).withUnsafeBufferPointer { csv.append(list: $0) }
    #expect(csv.text == expected)
  }
}
