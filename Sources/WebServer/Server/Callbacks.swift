internal import CMicroHTTPD

// The callbacks of libmicrohttpd. They are file-level functions without captures, so that any
// server thread may call them. All state comes from `context`, a ServerContext that Server keeps
// alive until every thread has ended.

private func server(_ context: UnsafeMutableRawPointer?) -> ServerContext? {
  context.map { Unmanaged<ServerContext>.fromOpaque($0).takeUnretainedValue() }
}

private func connection(_ context: UnsafeMutableRawPointer?) -> Connection? {
  context.map { Unmanaged<Connection>.fromOpaque($0).takeUnretainedValue() }
}

/// `MHD_NotifyConnectionCallback`.
func onConnection(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ socketContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ notice: MHD_ConnectionNotificationCode
) {
  guard let server = server(context), let handle, let socketContext else { return }
  if notice == .CONNECTION_NOTIFY_STARTED {
    // Released below, when the connection is closed.
    socketContext.pointee = Unmanaged.passRetained(server.begin(handle)).toOpaque()
  } else if let ended = socketContext.pointee {
    socketContext.pointee = nil
    server.end(Unmanaged<Connection>.fromOpaque(ended).takeRetainedValue())
  }
}

/// `MHD_OPTION_URI_LOG_CALLBACK`. libmicrohttpd passes the result on as `requestContext`.
func onTarget(
  _ context: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ handle: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  guard let server = server(context), let target, let handle,
    let socketContext = microhttpd_socket_context(handle),
    let connection = connection(socketContext)
  else { return nil }
  server.startRequest(connection, target: target)
  return socketContext
}

/// `MHD_AccessHandlerCallback`: called once for the head, once for each piece of the body, once at the end, and once
/// more after a suspension.
func onRequest(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?, _ target: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
  _ pieceLength: UnsafeMutablePointer<Int>?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let server = server(context), let handle, let target, let method, let version,
    let pieceLength,
    let connection = connection(requestContext?.pointee)
  else { return .NO }
  switch connection.exchange.stage {
  case .idle:
    return .NO
  case .head:
    let head = RequestGuard.Head(
      method: method, target: target, targetLength: 0, version: version,
      size: microhttpd_head_size(handle))
    server.takeHead(connection, handle, head)
  case .body where pieceLength.pointee > 0:
    let bytes = UnsafeRawBufferPointer(start: piece, count: pieceLength.pointee)
    pieceLength.pointee = 0
    guard server.takeBody(connection, bytes) else { return .NO }
  case .body, .deferred:
    server.answer(connection, handle)
  case .answered:
    break
  }
  return .YES
}

/// `MHD_RequestCompletedCallback`.
func onEnd(
  _ context: UnsafeMutableRawPointer?, _ handle: OpaquePointer?,
  _ requestContext: UnsafeMutablePointer<UnsafeMutableRawPointer?>?,
  _ reason: MHD_RequestTerminationCode
) {
  guard let server = server(context), let connection = connection(requestContext?.pointee) else {
    return
  }
  requestContext?.pointee = nil
  server.endRequest(connection, isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
}
