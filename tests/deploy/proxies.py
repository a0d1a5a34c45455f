"""Real nginx and Caddy with the files of ``docs/deploy``. Only ports, names and certificates are changed."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import ssl
import subprocess
from pathlib import Path

from tests.ports import Port
from tests.waiting import wait_until

ROOT = Path(__file__).resolve().parents[2]
FILES = ROOT / "docs" / "deploy"
PATIENCE = 60.0
#: Configuration that nginx's packages put around a site file.
AROUND = """\
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/site.conf;
}}
"""


def find_program(program: str) -> str | None:
    return shutil.which(program, path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin"]))


def certificate(folder: Path) -> tuple[Path, Path]:
    """Create a self-signed certificate for 127.0.0.1 and return the files of the certificate and its key."""
    own, key = folder / "fullchain.pem", folder / "privkey.pem"
    asked = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2", "-nodes"]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-keyout", str(key), "-out", str(own), *asked],
        check=True,
        capture_output=True,
    )
    return own, key


def fill_template(name: str, **values: str) -> str:
    """Return a file of ``docs/deploy`` with some texts replaced. The file must contain each of them."""
    text = (FILES / name).read_text("utf-8")
    for old, new in values.items():
        assert old in text, f"{name} does not say {old!r}"
        text = text.replace(old, new)
    return text


class Proxy:
    """A proxy in front of servers that forwards requests to its `port`."""

    def __init__(self, folder: Path, upstreams: list[int], root: str, secure: bool = True) -> None:
        self.folder, self.upstreams, self.root, self.secure = folder, upstreams, root, secure
        self.held = Port()
        self.port = self.held.number
        self.certificate, self.key = certificate(folder)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def origin(self) -> str:
        return f"{'https' if self.secure else 'http'}://127.0.0.1:{self.port}"

    @property
    def trust(self) -> ssl.SSLContext:
        return ssl.create_default_context(cafile=str(self.certificate))

    def command(self) -> list[str]:
        raise NotImplementedError

    def __enter__(self) -> Proxy:
        log = self.folder / "out.log"
        with log.open("wb") as out:
            self.process = subprocess.Popen(self.command(), stdout=out, stderr=out, env={**os.environ, **self.home()})
        process = self.process

        def listens() -> bool:
            assert process.poll() is None, log.read_text()
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return True
            return False

        wait_until(listens)
        return self

    def home(self) -> dict[str, str]:
        """Return environment variables that keep the proxy's data out of this machine's home."""
        return {"HOME": str(self.folder), "XDG_DATA_HOME": str(self.folder), "XDG_CONFIG_HOME": str(self.folder)}

    def reload(self) -> None:
        raise NotImplementedError

    def __exit__(self, *_: object) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(PATIENCE)
        self.held.close()


class Nginx(Proxy):
    def command(self) -> list[str]:
        host = "example.org" if self.root else "cards.example"
        servers = "\n".join(f"    server 127.0.0.1:{port} max_fails=2 fail_timeout=5s;" for port in self.upstreams)
        site = fill_template(
            "nginx-prefix.conf" if self.root else "nginx.conf",
            **{
                "    server 127.0.0.1:8000 max_fails=2 fail_timeout=5s;": servers,
                "listen 443 ssl;": f"listen 127.0.0.1:{self.port}{' ssl' if self.secure else ''};",
                f"server_name {host};": "server_name 127.0.0.1;",
                f"/etc/ssl/{host}/fullchain.pem": str(self.certificate),
                f"/etc/ssl/{host}/privkey.pem": str(self.key),
            },
        )
        (self.folder / "site.conf").write_text(site, "utf-8")
        (self.folder / "nginx.conf").write_text(
            ("" if os.geteuid() else "user root;\n") + AROUND.format(folder=self.folder), "utf-8"
        )
        program = find_program("nginx")
        assert program is not None, "nginx is not installed"
        return [program, "-p", str(self.folder), "-e", "stderr", "-c", str(self.folder / "nginx.conf")]

    def reload(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGHUP)


class Caddy(Proxy):
    def command(self) -> list[str]:
        own = "{\n\tauto_https disable_redirects\n\tskip_install_trust\n"
        own += f"\tstorage file_system {self.folder}/storage\n\tadmin unix/{self.folder}/admin\n\tservers {{"
        named = {
            "{\n\tservers {": own,
            ("example.org {" if self.root else "{$SITE:cards.example} {"): (
                f"{self.origin} {{\n\ttls {self.certificate} {self.key}"
            ),
            ("reverse_proxy 127.0.0.1:8000 {" if self.root else "reverse_proxy {$TABLES:127.0.0.1:8000} {"): (
                f"reverse_proxy {' '.join(f'127.0.0.1:{port}' for port in self.upstreams)} {{"
            ),
        }
        text = fill_template("Caddyfile.prefix" if self.root else "Caddyfile", **named)
        (self.folder / "Caddyfile").write_text(text, "utf-8")
        program = find_program("caddy")
        assert program is not None, "Caddy is not installed"
        return [program, "run", "--adapter", "caddyfile", "--config", str(self.folder / "Caddyfile")]

    def reload(self) -> None:
        there = ["--address", f"unix/{self.folder}/admin"]
        subprocess.run(
            [
                str(find_program("caddy")),
                "reload",
                "--force",
                "--adapter",
                "caddyfile",
                "--config",
                "Caddyfile",
                *there,
            ],
            cwd=self.folder,
            env={**os.environ, **self.home()},
            check=True,
            capture_output=True,
        )
