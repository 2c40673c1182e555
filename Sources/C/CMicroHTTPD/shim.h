#pragma once
#include <microhttpd.h>
#include <stdint.h>
#include <sys/epoll.h>

/// The settings of a daemon with one thread and no listening socket. All callbacks receive `context`.
struct microhttpd_settings {
  unsigned int connections;
  unsigned int idle_seconds;
  size_t connection_memory;
  /// PEM texts, and the GnuTLS priority string for protocols and ciphers. All NULL for plain HTTP.
  const char *certificate;
  const char *key;
  const char *priorities;
  MHD_NotifyConnectionCallback on_connection;
  void *(*on_target)(void *context, const char *target, struct MHD_Connection *connection);
  MHD_AccessHandlerCallback on_request;
  MHD_RequestCompletedCallback on_end;
  void *context;
};

/// `MHD_start_daemon` is variadic, which Swift cannot call.
///
/// `STRICT_FOR_CLIENT` is intentionally 0: in version 0.9.75 a higher value makes it answer a missing
/// Host with two status lines, and a space in the target with no response. The request guard rejects
/// both correctly.
static inline struct MHD_Daemon *microhttpd_start(const struct microhttpd_settings *s) {
  unsigned int tls = s->certificate == NULL ? 0 : MHD_USE_TLS;
  struct MHD_OptionItem plain_options[] = {{MHD_OPTION_END, 0, NULL}};
  struct MHD_OptionItem tls_options[] = {
      {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)s->certificate},
      {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)s->key},
      {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)s->priorities},
      {MHD_OPTION_END, 0, NULL}};
  return MHD_start_daemon(
      MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_NO_LISTEN_SOCKET | MHD_USE_ITC | tls,
      0, NULL, NULL, s->on_request, s->context,
      MHD_OPTION_CONNECTION_LIMIT, s->connections,
      MHD_OPTION_CONNECTION_TIMEOUT, s->idle_seconds,
      MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->connection_memory,
      MHD_OPTION_STRICT_FOR_CLIENT, 0,
      MHD_OPTION_NOTIFY_CONNECTION, s->on_connection, s->context,
      MHD_OPTION_URI_LOG_CALLBACK, s->on_target, s->context,
      MHD_OPTION_NOTIFY_COMPLETED, s->on_end, s->context,
      MHD_OPTION_ARRAY, tls ? tls_options : plain_options,
      MHD_OPTION_END);
}

/// `MHD_set_response_options` is variadic too. In a chunked response to HEAD, version 0.9.75 sends
/// the last chunk although there is no body. Such a response is therefore neither chunked nor has a
/// length, and its end closes the connection.
static inline void microhttpd_end_with_connection(struct MHD_Response *response) {
  MHD_set_response_options(response, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
}

// `MHD_get_connection_info` is also variadic.

static inline int microhttpd_socket(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info == NULL ? -1 : info->connect_fd;
}

static inline const struct sockaddr *microhttpd_peer(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
  return info == NULL ? NULL : info->client_addr;
}

static inline void *microhttpd_socket_context(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  return info == NULL ? NULL : info->socket_context;
}

/// The GnuTLS session of a connection; NULL without TLS.
static inline void *microhttpd_tls_session(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
  return info == NULL ? NULL : info->tls_session;
}

static inline size_t microhttpd_head_size(struct MHD_Connection *connection) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info == NULL ? 0 : info->header_size;
}

// epoll, which Swift's Glibc does not include, used only to detect clients that have finished sending
// (FIN). Each socket is reported once.

static inline int hangups_open(void) { return epoll_create1(EPOLL_CLOEXEC); }

/// Reports the socket once its client has finished sending, even if that happened before the call. Closing the
/// socket removes it.
static inline void hangups_watch(int hangups, int socket) {
  struct epoll_event event = {.events = EPOLLRDHUP | EPOLLONESHOT, .data = {.fd = socket}};
  epoll_ctl(hangups, EPOLL_CTL_ADD, socket, &event);
}

/// The reported sockets, at most 64. Further ones follow with the next call. Does not block.
static inline int hangups_take(int hangups, int sockets[64]) {
  struct epoll_event events[64];
  int count = epoll_wait(hangups, events, 64, 0);
  for (int number = 0; number < count; number++) sockets[number] = events[number].data.fd;
  return count < 0 ? 0 : count;
}

/// `accept4` with `SOCK_NONBLOCK | SOCK_CLOEXEC`. `<sys/socket.h>` declares it only with GNU extensions, which Swift
/// does not enable.
static inline int microhttpd_accept(int listener, struct sockaddr_storage *peer, socklen_t *length) {
  extern int accept4(int, struct sockaddr *, socklen_t *, int);
  *length = sizeof *peer;
  return accept4(listener, (struct sockaddr *)peer, length, SOCK_NONBLOCK | SOCK_CLOEXEC);
}
