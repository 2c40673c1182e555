/// The reason why a server cannot start, with a sentence for the person who starts it.
package enum ServerError: Error, Equatable, CustomStringConvertible, Sendable {
  case unknownHost(String)
  case addressInUse(host: String, port: UInt16)
  case notPermitted(host: String, port: UInt16)
  case cannotListen(host: String, port: UInt16, reason: String)
  case noListeningSocket(Int32)
  case libraryRefused
  case unusableCertificate(InvalidCertificate)

  package var description: String {
    switch self {
    case .unknownHost(let host):
      "Cannot listen on \(host): it is no address of this machine."
    case .addressInUse(let host, let port):
      "Cannot listen on \(host):\(port): another program already does."
    case .notPermitted(let host, let port):
      "Cannot listen on \(host):\(port): ports below 1024 need root, so choose a higher one."
    case .cannotListen(let host, let port, let reason):
      "Cannot listen on \(host):\(port): \(reason)."
    case .noListeningSocket(let descriptor):
      "Descriptor \(descriptor), which was handed over to be listened on, is no such socket."
    case .libraryRefused:
      "The HTTP library did not start: too few file descriptors or threads are allowed."
    case .unusableCertificate(let fault): fault.description
    }
  }
}
