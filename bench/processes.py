"""What is measured and what it is measured against, each a process that is stopped again."""

import http.client
import json
import os
import pwd
import socket
import subprocess
import time


class Failure(Exception):
    """A sentence for whoever runs the bench."""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def get(port, target):
    """Status and body of one request."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", target)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


class Process:
    """A child that ends when the `with` does."""

    def __init__(self, command, environment, **pipes):
        self.command = command
        self.child = subprocess.Popen(
            command, env=environment, **{"stdout": subprocess.DEVNULL,
                                         "stderr": subprocess.DEVNULL, **pipes})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.child.poll() is None:
            self.child.terminate()
            try:
                self.child.wait(15)
            except subprocess.TimeoutExpired:
                self.child.kill()
                self.child.wait()

    def wait_for(self, port, target, seconds):
        """Seconds until `target` was answered 200."""
        started = time.monotonic()
        while time.monotonic() - started < seconds:
            if self.child.poll() is not None:
                raise Failure(f"this ended at once, run it by hand: {' '.join(self.command)}")
            try:
                if get(port, target)[0] == 200:
                    return time.monotonic() - started
            except OSError:
                time.sleep(0.01)
        raise Failure(f"no answer within {seconds} s from: {' '.join(self.command)}")


class Farol(Process):
    def __init__(self, program, root, database, environment):
        self.port = free_port()
        super().__init__(
            [program, "serve", "--database", database, "--home", root,
             "--listen", f"127.0.0.1:{self.port}"], environment)
        try:
            self.ready_after = self.wait_for(self.port, "/readyz", 120)
        except BaseException:
            self.__exit__()
            raise

    def cpu(self):
        """Seconds of processor time so far."""
        with open(f"/proc/{self.child.pid}/stat") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self):
        """Resident memory now and at its highest, in MB."""
        with open(f"/proc/{self.child.pid}/status") as status:
            found = dict(line.split(":", 1) for line in status)
        return tuple(int(found[name].split()[0]) * 1024 / 1e6 for name in ("VmRSS", "VmHWM"))


class Floor(Process):
    """`farol-bench`: the same work without HTTP."""

    def __init__(self, program, root, database, environment):
        super().__init__([program, database, root], environment, stdin=subprocess.PIPE,
                         stdout=subprocess.PIPE, stderr=None, text=True)
        self.load_seconds = float(self.answer())

    def answer(self):
        line = self.child.stdout.readline()
        if not line:
            raise Failure("farol-bench ended; what it said stands above")
        return line

    def measure(self, targets, threads, seconds):
        """How often a second."""
        self.child.stdin.write(f"{threads} {seconds} {targets}\n")
        self.child.stdin.flush()
        count, elapsed = self.answer().split()
        return int(count) / float(elapsed)


class Nginx(Process):
    """nginx with bodies as files."""

    def __init__(self, folder, bodies, environment):
        files = os.path.join(folder, "files")
        os.makedirs(files, exist_ok=True)
        os.chmod(folder, 0o755)
        for name, body in bodies.items():
            with open(os.path.join(files, name), "wb") as file:
                file.write(body)
        self.port = free_port()
        configuration = os.path.join(folder, "nginx.conf")
        user = pwd.getpwuid(os.getuid()).pw_name
        with open(configuration, "w") as file:
            file.write(f"""daemon off; worker_processes auto; pid {folder}/nginx.pid;
{f"user {user};" if os.getuid() == 0 else ""}
error_log {folder}/error.log;
events {{ worker_connections 256; }}
http {{
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 100000000;
  open_file_cache max=100 inactive=600s; open_file_cache_valid 600s;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{ listen 127.0.0.1:{self.port}; root {files}; }}
}}
""")
        program = "/usr/sbin/nginx" if os.path.exists("/usr/sbin/nginx") else "nginx"
        super().__init__([program, "-c", configuration, "-e", folder + "/error.log"], environment)
        try:
            self.wait_for(self.port, "/" + next(iter(bodies)), 10)
        except BaseException:
            self.__exit__()
            raise


def load(script, port, targets, connections, seconds):
    """What wrk measured: requests, seconds, failed, p50 and p99 in milliseconds."""
    run = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--timeout", "10s", "--latency",
         "-s", script, f"http://127.0.0.1:{port}", "--", targets, str(time.time_ns() % 10**14)],
        capture_output=True, text=True, timeout=seconds + 60)
    if run.returncode:
        raise Failure(f"wrk failed: {run.stderr.strip()}")
    return json.loads(run.stdout.strip().splitlines()[-1])
