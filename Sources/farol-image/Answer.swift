/// The content of standard output: four bytes with the length of the JSON header (big-endian), the
/// header, the large picture, the thumbnail.
///
///     {"type":"image/jpeg","large":{"width":2048,"height":1536,"bytes":412345},"thumb":{…}}
struct Answer {
  /// One picture, encoded.
  struct Encoded {
    var width, height: Int32
    var bytes: [UInt8]

    fileprivate var head: String {
      #"{"width":\#(width),"height":\#(height),"bytes":\#(bytes.count)}"#
    }
  }

  var large, thumb: Encoded

  var framed: [UInt8] {
    let head = Array(
      #"{"type":"image/jpeg","large":\#(large.head),"thumb":\#(thumb.head)}"#.utf8)
    let length = UInt32(head.count)
    let size = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) }
    return size + head + large.bytes + thumb.bytes
  }
}
