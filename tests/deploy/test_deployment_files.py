"""Files that an operator copies: the service unit, the container files, and the commands of the hosting guide."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.deploy.conftest import require_programs
from tests.deploy.proxies import FILES, ROOT, find_program

HOST = (ROOT / "docs" / "host.md").read_text("utf-8")
#: Blocks of the guide that a machine can run unchanged.
RUNNABLE = re.findall(r"```console runnable\n(.*?)```", HOST, re.DOTALL)
COMMANDS = [line[2:] for block in RUNNABLE for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS)
def test_command_of_the_hosting_guide_succeeds(command: str, tmp_path: Path) -> None:
    require_programs(command.split()[0])
    # The unit names an installed program, which is missing here. Name a program that exists.
    unit = tmp_path / "facedown.service"
    unit.write_text((FILES / "facedown.service").read_text().replace("/opt/facedown/bin/facedown", "/bin/true"))
    done = subprocess.run(
        command.replace("docs/deploy/facedown.service", str(unit)), shell=True, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_hosting_guide_has_at_least_two_runnable_commands() -> None:
    assert len(COMMANDS) >= 2


def test_hosting_guide_links_only_to_deployment_files_that_exist() -> None:
    linked = re.findall(r"\]\((deploy/[^)#]+)\)", HOST)
    assert len(linked) >= 6
    assert [link for link in linked if not (ROOT / "docs" / link).is_file()] == []


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"^\s*#.*\n", "", (FILES / "Containerfile").read_text("utf-8"), flags=re.MULTILINE)
    lines = text.replace("\\\n", " ").splitlines()
    return [(word, rest.strip()) for word, _, rest in (line.strip().partition(" ") for line in lines) if word]


def test_containerfile_copies_only_files_that_exist() -> None:
    known = {"FROM", "WORKDIR", "COPY", "RUN", "USER", "ENV", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "CMD"}
    found = instructions()
    assert {word for word, _ in found} <= known
    stages = {rest.split(" AS ")[1] for word, rest in found if word == "FROM" and " AS " in rest}
    for word, rest in found:
        if word != "COPY":
            continue
        parts = rest.split()
        stage = next((part.removeprefix("--from=") for part in parts if part.startswith("--from=")), "")
        assert not stage or stage in stages
        for source in [part for part in parts if not part.startswith("--")][:-1]:
            assert stage or (ROOT / source).exists(), source


def test_container_image_runs_as_an_unprivileged_user_and_pins_what_it_installs() -> None:
    found = instructions()
    words = [word for word, _ in found]
    users = [rest for word, rest in found if word == "USER"]
    assert users == ["facedown"]
    assert words.index("USER") < words.index("CMD")
    images = [rest.split()[0] for word, rest in found if word == "FROM"]
    assert all(re.search(r":\d+\.\d+-slim$", image) for image in images)
    assert any("--require-hashes -r /tmp/table.txt" in rest for word, rest in found if word == "RUN")


def test_container_image_starts_the_server_on_all_interfaces() -> None:
    start = json.loads(next(rest for word, rest in instructions() if word == "CMD"))
    from typer.main import get_command

    from facedown.terminal.cli import app

    assert start[0] == "facedown"
    # The command is parsed and not run.
    command = get_command(app)
    context = command.make_context("facedown", start[1:], resilient_parsing=False)
    name, serve, rest = command.resolve_command(context, start[1:])  # type: ignore[attr-defined]
    assert name == "serve"
    assert serve.make_context("serve", list(rest), parent=context).params["host"] == "0.0.0.0"


def test_dockerignore_keeps_every_file_that_the_image_needs() -> None:
    kept = {
        line[1:] for line in (FILES / "Containerfile.dockerignore").read_text().splitlines() if line.startswith("!")
    }
    assert {"src", "web", "requirements", "hatch_build.py", "pyproject.toml", "README.md", "LICENSE"} <= kept
    assert [name for name in kept if not (ROOT / name).exists()] == []


def test_compose_example_defines_every_file_volume_and_network_that_it_uses() -> None:
    told = yaml.safe_load((FILES / "compose.yaml").read_text("utf-8"))
    services = told["services"]
    assert {"table-1", "table-2", "postgres", "redis", "caddy"} == set(services)
    file = services["table-1"]["build"]["dockerfile"]
    assert (FILES / services["table-1"]["build"]["context"] / file).resolve() == FILES / "Containerfile"
    for service in services.values():
        named = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        files = {name for name in named if name.startswith("./")}
        assert all((FILES / name).is_file() for name in files)
        assert named - files <= set(told["volumes"])
        assert set(service["networks"]) <= set(told["networks"])
    tables = [f"{name}:8000" for name in services if name.startswith("table-")]
    assert services["caddy"]["environment"]["TABLES"].split() == tables


@pytest.mark.slow
@pytest.mark.parametrize(
    ("named", "site", "tables"),
    [
        ({}, "cards.example", ["127.0.0.1:8000"]),
        ({"SITE": "a.example", "TABLES": "table-1:8000 table-2:8000"}, "a.example", ["table-1:8000", "table-2:8000"]),
    ],
)
def test_caddyfile_takes_site_and_servers_from_its_environment(
    named: dict[str, str], site: str, tables: list[str]
) -> None:
    require_programs("caddy")
    told = subprocess.run(
        [str(find_program("caddy")), "adapt", "--adapter", "caddyfile", "--config", str(FILES / "Caddyfile")],
        env=os.environ | named,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (server,) = json.loads(told)["apps"]["http"]["servers"].values()
    (route,) = server["routes"]
    assert route["match"] == [{"host": [site]}]
    (proxy,) = (
        handler
        for inner in route["handle"][0]["routes"]
        for handler in inner["handle"]
        if handler["handler"] == "reverse_proxy"
    )
    assert [upstream["dial"] for upstream in proxy["upstreams"]] == tables
    assert proxy["load_balancing"]["selection_policy"] == {"policy": "header", "field": "X-Table"}
