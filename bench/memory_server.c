// A minimal HTTP server in C for comparison: libmicrohttpd sends bodies from memory, without any other work.
//
//   memory_server PORT FOLDER      serves FOLDER/0.bin … FOLDER/63.bin as /0.bin … on loopback
//
// It ends when its standard input is closed.

#include <arpa/inet.h>
#include <limits.h>
#include <microhttpd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BODIES 64

static struct MHD_Response *bodies[BODIES];

static struct MHD_Response *read_body(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  struct MHD_Response *response = NULL;
  long size = -1;
  if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
  rewind(file);
  char *bytes = size < 0 ? NULL : malloc(size ? (size_t)size : 1);
  if (bytes && fread(bytes, 1, (size_t)size, file) == (size_t)size) {
    response = MHD_create_response_from_buffer((size_t)size, bytes, MHD_RESPMEM_MUST_FREE);
    if (response) MHD_add_response_header(response, "Content-Type", "application/octet-stream");
  }
  fclose(file);
  return response;
}

static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_size, void **request)
{
  (void)context, (void)method, (void)version, (void)upload, (void)upload_size;
  // The first call has the head only. A response at that point would close the connection.
  static int seen;
  if (!*request) return *request = &seen, MHD_YES;
  unsigned number = BODIES;
  if (sscanf(url, "/%u.bin", &number) != 1 || number >= BODIES || !bodies[number]) return MHD_NO;
  return MHD_queue_response(connection, MHD_HTTP_OK, bodies[number]);
}

int main(int count, char **arguments)
{
  if (count != 3) return 2;
  for (int number = 0; number < BODIES; number++) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%d.bin", arguments[2], number);
    bodies[number] = read_body(path);
  }
  struct sockaddr_in address = { .sin_family = AF_INET, .sin_port = htons((unsigned short)atoi(arguments[1])) };
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct MHD_Daemon *daemon = MHD_start_daemon(
    MHD_USE_EPOLL_INTERNAL_THREAD, 0, NULL, NULL, answer, NULL, MHD_OPTION_SOCK_ADDR, &address,
    MHD_OPTION_THREAD_POOL_SIZE, 2u, MHD_OPTION_END);
  if (!daemon) return 1;
  while (getchar() != EOF) continue;
  MHD_stop_daemon(daemon);
  return 0;
}
