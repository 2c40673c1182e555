"""nginx and Caddy with the files of operations/, with changed ports, paths and certificates."""

import os
import subprocess
import time
from pathlib import Path

NAME = "farol.example.org"


class Proxy:
    """A proxy in front of a Farol, on free ports of this machine."""

    name = None

    def __init__(self, home, folder, farol_port, plain, secure, certificate, key):
        self.home = Path(home)
        self.folder = Path(folder) / self.name
        self.folder.mkdir()
        self.farol_port, self.plain, self.secure = farol_port, plain, secure
        self.certificate, self.key = certificate, key
        self.process = None
        self.config = self.folder / "config"

    def replaced(self, path, changes):
        """The text of a file with every change applied; each old text must occur."""
        text = (self.home / path).read_text()
        for old, new in changes:
            if old not in text:
                raise RuntimeError(f"{path} has no {old!r} to be changed for the test")
            text = text.replace(old, new)
        return text

    def environment(self):
        return {"PATH": os.environ["PATH"], "HOME": str(self.folder),
                "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}

    def check(self):
        """Whether the program accepts its configuration, and its output."""
        done = subprocess.run(self.check_command(), env=self.environment(), capture_output=True,
                              text=True, timeout=30)
        return done.returncode == 0, done.stdout + done.stderr

    def start(self):
        with open(self.folder / "log", "wb") as log:
            self.process = subprocess.Popen(
                self.command(), env=self.environment(), stdin=subprocess.DEVNULL, stdout=log,
                stderr=log, cwd=self.folder)
        time.sleep(0.5)

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=30)

    def written(self):
        """Everything that the proxy has written to its logs."""
        return "".join(path.read_text(errors="replace") for path in self.folder.glob("**/*log*")
                       if path.is_file())


class Nginx(Proxy):
    name = "nginx"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        site = self.folder / "site"
        site.write_text(self.replaced("operations/nginx/farol.conf", [
            ("127.0.0.1:8080", f"127.0.0.1:{self.farol_port}"),
            ("listen 80", f"listen 127.0.0.1:{self.plain}"),
            ("listen [::]:80", f"listen 127.0.0.2:{self.plain}"),
            ("listen 443", f"listen 127.0.0.1:{self.secure}"),
            ("listen [::]:443", f"listen 127.0.0.2:{self.secure}"),
            (f"/etc/letsencrypt/live/{NAME}/fullchain.pem", self.certificate),
            (f"/etc/letsencrypt/live/{NAME}/privkey.pem", self.key),
            ("/var/log/nginx/farol.log", f"{self.folder}/error.log"),
        ]))
        places = "".join(
            f"{kind}_temp_path {self.folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        # The context of the sites in Debian's nginx.conf.
        self.config.write_text(f"""
            daemon off;
            {"user root;" if os.geteuid() == 0 else ""}
            worker_processes 1;
            pid {self.folder}/pid;
            error_log {self.folder}/main.log;
            events {{ worker_connections 256; }}
            http {{
              {places}
              sendfile on;
              include /etc/nginx/mime.types;
              access_log {self.folder}/access.log;
              gzip on;
              include {site};
            }}
            """)

    def check_command(self):
        return ["nginx", "-t", "-c", str(self.config)]

    def command(self):
        return ["nginx", "-c", str(self.config)]


class Caddy(Proxy):
    name = "caddy"

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.config.write_text(self.replaced("operations/caddy/Caddyfile", [
            ("127.0.0.1:8080", f"127.0.0.1:{self.farol_port}"),
            ("\tadmin off\n", f"\tadmin off\n\thttp_port {self.plain}\n"
                              f"\thttps_port {self.secure}\n\tdefault_bind 127.0.0.1\n"),
            ("\ttls {\n", f"\ttls {self.certificate} {self.key} {{\n"),
        ]))

    def check_command(self):
        return ["caddy", "validate", "--config", str(self.config), "--adapter", "caddyfile"]

    def command(self):
        return ["caddy", "run", "--config", str(self.config), "--adapter", "caddyfile"]
