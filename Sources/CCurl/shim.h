#pragma once
#include <curl/curl.h>

/// What one mail is sent with. Texts are copied by libcurl; `to`, `errors` and `context` must live
/// until the transfer has ended.
struct curl_mail {
  /// `smtp://host:port/name` or `smtps://…`; the name is what we greet the server with.
  const char *url;
  /// Both NULL: no login.
  const char *username, *password;
  /// A PEM file of the authorities to trust; NULL: those of the system.
  const char *authorities;
  const char *from;
  struct curl_slist *to;
  /// Whether `smtp://` must become TLS before anything is said; 0: it stays plain.
  int require_tls;
  long connect_milliseconds, whole_milliseconds;
  curl_off_t size;
  curl_read_callback on_read;
  curl_xferinfo_callback on_progress;
  /// For both callbacks.
  void *context;
  /// `CURL_ERROR_SIZE` bytes.
  char *errors;
};

// `curl_easy_setopt` and `curl_easy_getinfo` are variadic, which Swift cannot call.

#define CURL_MAIL_SET(option, value) \
  do { \
    CURLcode code = curl_easy_setopt(handle, option, value); \
    if (code != CURLE_OK) return code; \
  } while (0)

/// Sets every option; the first failure.
static inline CURLcode curl_mail_prepare(CURL *handle, const struct curl_mail *mail) {
  CURL_MAIL_SET(CURLOPT_ERRORBUFFER, mail->errors);
  // A name server that does not answer delays nothing beyond the limits: without this, ending the
  // transfer would wait for the thread in which libcurl looks the name up.
  CURL_MAIL_SET(CURLOPT_QUICK_EXIT, 1L);
  // Threads, so no SIGALRM; nothing of the environment, neither a proxy nor ~/.netrc.
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
  CURL_MAIL_SET(CURLOPT_MAIL_FROM, mail->from);
  CURL_MAIL_SET(CURLOPT_MAIL_RCPT, mail->to);
  CURL_MAIL_SET(CURLOPT_UPLOAD, 1L);
  CURL_MAIL_SET(CURLOPT_INFILESIZE_LARGE, mail->size);
  CURL_MAIL_SET(CURLOPT_READFUNCTION, mail->on_read);
  CURL_MAIL_SET(CURLOPT_READDATA, mail->context);
  // So that the farewell, too, asks `on_progress` whether to wait for its answer.
  CURL_MAIL_SET(CURLOPT_FORBID_REUSE, 1L);
  CURL_MAIL_SET(CURLOPT_NOPROGRESS, 0L);
  CURL_MAIL_SET(CURLOPT_XFERINFOFUNCTION, mail->on_progress);
  CURL_MAIL_SET(CURLOPT_XFERINFODATA, mail->context);
  return CURLE_OK;
}

/// What a file of a web site is read with. All must live until the transfer has ended.
struct curl_site {
  /// `https://host/path`.
  const char *url;
  /// `host:443:address:port`: where the connection goes, whatever the name leads to.
  struct curl_slist *target;
  /// A PEM file of the authorities to trust; NULL: those of the system.
  const char *authorities;
  long milliseconds;
  curl_write_callback on_write;
  void *context;
};

/// Sets every option; the first failure.
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
  CURL_MAIL_SET(CURLOPT_CONNECTTIMEOUT_MS, site->milliseconds);
  CURL_MAIL_SET(CURLOPT_TIMEOUT_MS, site->milliseconds);
  CURL_MAIL_SET(CURLOPT_USERAGENT, "Farol");
  CURL_MAIL_SET(CURLOPT_WRITEFUNCTION, site->on_write);
  CURL_MAIL_SET(CURLOPT_WRITEDATA, site->context);
  CURL_MAIL_SET(CURLOPT_FORBID_REUSE, 1L);
  return CURLE_OK;
}

#undef CURL_MAIL_SET

/// The last answer of the server, such as 250; 0 when there was none.
static inline long curl_mail_reply(CURL *handle) {
  long code = 0;
  return curl_easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &code) == CURLE_OK ? code : 0;
}

/// `curl_global_init` takes a macro that Swift does not see.
static inline CURLcode curl_mail_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
