#pragma once
#include <curl/curl.h>

/// The parameters for sending one mail. libcurl copies the texts. `to`, `errors` and `context` must
/// remain valid until the transfer has ended.
struct curl_mail {
  /// `smtp://host:port/name` or `smtps://…`; the name is sent in the greeting (EHLO).
  const char *url;
  /// NULL for both: no login.
  const char *username, *password;
  /// A PEM file of trusted certificate authorities. NULL: those of the system.
  const char *authorities;
  const char *from;
  struct curl_slist *to;
  /// Whether `smtp://` must switch to TLS before sending any data (STARTTLS). 0: no encryption.
  int require_tls;
  long connect_milliseconds, whole_milliseconds;
  curl_off_t size;
  curl_read_callback on_read;
  /// Called with each line of a reply.
  curl_write_callback on_reply;
  curl_xferinfo_callback on_progress;
  /// The context of the callbacks.
  void *context;
  /// `CURL_ERROR_SIZE` bytes.
  char *errors;
  /// Whether to send no mail but NOOP and QUIT, and close the connection.
  int closes;
};

// `curl_easy_setopt` and `curl_easy_getinfo` are variadic, which Swift cannot call.

#define CURL_MAIL_SET(option, value) \
  do { \
    CURLcode code = curl_easy_setopt(handle, option, value); \
    if (code != CURLE_OK) return code; \
  } while (0)

/// Sets all options. Returns the first error.
static inline CURLcode curl_mail_prepare(CURL *handle, const struct curl_mail *mail) {
  CURL_MAIL_SET(CURLOPT_ERRORBUFFER, mail->errors);
  // An unresponsive name server must not delay the program beyond the time limits: otherwise ending
  // the transfer would wait for libcurl's resolver thread.
  CURL_MAIL_SET(CURLOPT_QUICK_EXIT, 1L);
  // No SIGALRM, because the program has threads. No settings of the environment: no proxy, no ~/.netrc.
  CURL_MAIL_SET(CURLOPT_NOSIGNAL, 1L);
  CURL_MAIL_SET(CURLOPT_PROXY, "");
  CURL_MAIL_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  CURL_MAIL_SET(CURLOPT_PROTOCOLS_STR, "smtp,smtps");
  CURL_MAIL_SET(CURLOPT_URL, mail->url);
  CURL_MAIL_SET(CURLOPT_USE_SSL, (long)(mail->require_tls ? CURLUSESSL_ALL : CURLUSESSL_NONE));
  CURL_MAIL_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  CURL_MAIL_SET(CURLOPT_SSL_VERIFYPEER, 1L);
  CURL_MAIL_SET(CURLOPT_SSL_VERIFYHOST, 2L);
  if (mail->authorities != NULL) {
    CURL_MAIL_SET(CURLOPT_CAINFO, mail->authorities);
    CURL_MAIL_SET(CURLOPT_CAPATH, NULL);
  }
  if (mail->username != NULL && mail->password != NULL) {
    CURL_MAIL_SET(CURLOPT_USERNAME, mail->username);
    CURL_MAIL_SET(CURLOPT_PASSWORD, mail->password);
  }
  CURL_MAIL_SET(CURLOPT_CONNECTTIMEOUT_MS, mail->connect_milliseconds);
  CURL_MAIL_SET(CURLOPT_TIMEOUT_MS, mail->whole_milliseconds);
  CURL_MAIL_SET(CURLOPT_HEADERFUNCTION, mail->on_reply);
  CURL_MAIL_SET(CURLOPT_HEADERDATA, mail->context);
  if (mail->closes) {
    CURL_MAIL_SET(CURLOPT_NOBODY, 1L);
    CURL_MAIL_SET(CURLOPT_CUSTOMREQUEST, "NOOP");
    // This QUIT also calls `on_progress`. The one of `curl_easy_cleanup` waits two minutes for a silent server.
    CURL_MAIL_SET(CURLOPT_FORBID_REUSE, 1L);
  } else {
    CURL_MAIL_SET(CURLOPT_MAIL_FROM, mail->from);
    CURL_MAIL_SET(CURLOPT_MAIL_RCPT, mail->to);
    CURL_MAIL_SET(CURLOPT_UPLOAD, 1L);
    CURL_MAIL_SET(CURLOPT_INFILESIZE_LARGE, mail->size);
    CURL_MAIL_SET(CURLOPT_READFUNCTION, mail->on_read);
    CURL_MAIL_SET(CURLOPT_READDATA, mail->context);
  }
  CURL_MAIL_SET(CURLOPT_NOPROGRESS, 0L);
  CURL_MAIL_SET(CURLOPT_XFERINFOFUNCTION, mail->on_progress);
  CURL_MAIL_SET(CURLOPT_XFERINFODATA, mail->context);
  return CURLE_OK;
}

/// The parameters for reading one file of a web site. All must remain valid until the transfer has
/// ended.
struct curl_site {
  /// `https://host/path`.
  const char *url;
  /// `host:443:address:port`: the address to connect to, regardless of DNS.
  struct curl_slist *target;
  /// A PEM file of trusted certificate authorities. NULL: those of the system.
  const char *authorities;
  long milliseconds;
  /// The time to connect. 0: as `milliseconds`.
  long connect_milliseconds;
  /// A transfer that brings fewer bytes per second for half a minute is ended. 0: no limit.
  long slowest;
  curl_write_callback on_write;
  /// Called about once a second; ends the transfer by returning 1. NULL: not called.
  curl_xferinfo_callback on_progress;
  /// The context of both callbacks.
  void *context;
  /// The bytes to send with POST, and their number. NULL: a GET request.
  const char *body;
  curl_off_t body_size;
  /// Further header lines. NULL: none.
  struct curl_slist *headers;
  /// Whether the connection stays open after the transfer, for the next one of the same handle.
  int stays_open;
};

/// Sets all options. Returns the first error.
static inline CURLcode curl_site_prepare(CURL *handle, const struct curl_site *site) {
  CURL_MAIL_SET(CURLOPT_NOSIGNAL, 1L);
  CURL_MAIL_SET(CURLOPT_PROXY, "");
  CURL_MAIL_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  CURL_MAIL_SET(CURLOPT_PROTOCOLS_STR, "https");
  CURL_MAIL_SET(CURLOPT_FOLLOWLOCATION, 0L);
  CURL_MAIL_SET(CURLOPT_URL, site->url);
  CURL_MAIL_SET(CURLOPT_CONNECT_TO, site->target);
  CURL_MAIL_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  CURL_MAIL_SET(CURLOPT_SSL_VERIFYPEER, 1L);
  CURL_MAIL_SET(CURLOPT_SSL_VERIFYHOST, 2L);
  if (site->authorities != NULL) {
    CURL_MAIL_SET(CURLOPT_CAINFO, site->authorities);
    CURL_MAIL_SET(CURLOPT_CAPATH, NULL);
  }
  CURL_MAIL_SET(
      CURLOPT_CONNECTTIMEOUT_MS,
      site->connect_milliseconds > 0 ? site->connect_milliseconds : site->milliseconds);
  CURL_MAIL_SET(CURLOPT_TIMEOUT_MS, site->milliseconds);
  if (site->slowest > 0) {
    CURL_MAIL_SET(CURLOPT_LOW_SPEED_LIMIT, site->slowest);
    CURL_MAIL_SET(CURLOPT_LOW_SPEED_TIME, 30L);
  }
  if (site->on_progress != NULL) {
    CURL_MAIL_SET(CURLOPT_NOPROGRESS, 0L);
    CURL_MAIL_SET(CURLOPT_XFERINFOFUNCTION, site->on_progress);
    CURL_MAIL_SET(CURLOPT_XFERINFODATA, site->context);
  }
  CURL_MAIL_SET(CURLOPT_USERAGENT, "Farol");
  CURL_MAIL_SET(CURLOPT_WRITEFUNCTION, site->on_write);
  CURL_MAIL_SET(CURLOPT_WRITEDATA, site->context);
  CURL_MAIL_SET(CURLOPT_FORBID_REUSE, site->stays_open ? 0L : 1L);
  CURL_MAIL_SET(CURLOPT_MAXCONNECTS, 1L);
  if (site->body != NULL) {
    CURL_MAIL_SET(CURLOPT_POST, 1L);
    CURL_MAIL_SET(CURLOPT_POSTFIELDSIZE_LARGE, site->body_size);
    CURL_MAIL_SET(CURLOPT_POSTFIELDS, site->body);
  }
  if (site->headers != NULL) CURL_MAIL_SET(CURLOPT_HTTPHEADER, site->headers);
  return CURLE_OK;
}

/// The parameters of one command to a mailbox (POP3, RFC 1939). libcurl copies the texts. `context` must remain valid
/// until the transfer has ended.
struct curl_mailbox {
  /// `pop3s://host:port/` lists the mails, `pop3s://host:port/7` reads one.
  const char *url;
  const char *username, *password;
  /// A PEM file of trusted certificate authorities. NULL: those of the system.
  const char *authorities;
  /// Another command with an answer of one line, such as DELE. NULL: as the address says.
  const char *command;
  long connect_milliseconds, whole_milliseconds;
  curl_write_callback on_write;
  curl_xferinfo_callback on_progress;
  /// The context of both callbacks.
  void *context;
  /// Whether QUIT follows, which makes the server delete what DELE has marked.
  int closes;
};

/// Sets all options. Returns the first error.
static inline CURLcode curl_mailbox_prepare(CURL *handle, const struct curl_mailbox *box) {
  CURL_MAIL_SET(CURLOPT_QUICK_EXIT, 1L);
  CURL_MAIL_SET(CURLOPT_NOSIGNAL, 1L);
  CURL_MAIL_SET(CURLOPT_PROXY, "");
  CURL_MAIL_SET(CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
  CURL_MAIL_SET(CURLOPT_PROTOCOLS_STR, "pop3,pop3s");
  CURL_MAIL_SET(CURLOPT_URL, box->url);
  CURL_MAIL_SET(CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
  CURL_MAIL_SET(CURLOPT_SSL_VERIFYPEER, 1L);
  CURL_MAIL_SET(CURLOPT_SSL_VERIFYHOST, 2L);
  if (box->authorities != NULL) {
    CURL_MAIL_SET(CURLOPT_CAINFO, box->authorities);
    CURL_MAIL_SET(CURLOPT_CAPATH, NULL);
  }
  CURL_MAIL_SET(CURLOPT_USERNAME, box->username);
  CURL_MAIL_SET(CURLOPT_PASSWORD, box->password);
  CURL_MAIL_SET(CURLOPT_CONNECTTIMEOUT_MS, box->connect_milliseconds);
  CURL_MAIL_SET(CURLOPT_TIMEOUT_MS, box->whole_milliseconds);
  if (box->command != NULL) {
    CURL_MAIL_SET(CURLOPT_CUSTOMREQUEST, box->command);
    CURL_MAIL_SET(CURLOPT_NOBODY, 1L);
  }
  CURL_MAIL_SET(CURLOPT_WRITEFUNCTION, box->on_write);
  CURL_MAIL_SET(CURLOPT_WRITEDATA, box->context);
  CURL_MAIL_SET(CURLOPT_NOPROGRESS, 0L);
  CURL_MAIL_SET(CURLOPT_XFERINFOFUNCTION, box->on_progress);
  CURL_MAIL_SET(CURLOPT_XFERINFODATA, box->context);
  CURL_MAIL_SET(CURLOPT_FORBID_REUSE, box->closes ? 1L : 0L);
  return CURLE_OK;
}

#undef CURL_MAIL_SET

/// The number of connections that the last transfer opened.
static inline long curl_opened_connections(CURL *handle) {
  long count = 0;
  return curl_easy_getinfo(handle, CURLINFO_NUM_CONNECTS, &count) == CURLE_OK ? count : 0;
}

/// The last reply code of the server, such as 250. 0 if there was no reply.
static inline long curl_reply(CURL *handle) {
  long code = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

/// The value of a header of the last response, valid until the next call. NULL if there is none.
static inline const char *curl_answer_header(CURL *handle, const char *name) {
  struct curl_header *header = NULL;
  return curl_easy_header(handle, name, 0, CURLH_HEADER, -1, &header) == CURLHE_OK ? header->value : NULL;
}

/// The absolute address to which the last response redirects, valid until the next transfer. NULL if it does not.
static inline const char *curl_redirect(CURL *handle) {
  char *address = NULL;
  return curl_easy_getinfo(handle, CURLINFO_REDIRECT_URL, &address) == CURLE_OK ? address : NULL;
}

/// The socket of the connection that a handle keeps. `CURL_SOCKET_BAD` if there is none.
static inline curl_socket_t curl_kept_socket(CURL *handle) {
  curl_socket_t socket = CURL_SOCKET_BAD;
  return curl_easy_getinfo(handle, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK ? socket : CURL_SOCKET_BAD;
}

/// The argument of `curl_global_init` is a macro that Swift does not import.
static inline CURLcode curl_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
