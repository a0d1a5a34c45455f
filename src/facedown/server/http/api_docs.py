"""The documentation page of the JSON API, made from the OpenAPI schema. It uses no scripts or third-party resources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from facedown.server import rendering


def docs_page(shell: rendering.Shell, spec: dict[str, Any]) -> str:
    """Return the page at ``/docs``, the documentation of the API, as HTML. `spec` is the OpenAPI schema."""
    return rendering.guide_page(shell, game="", title="For programs", guide=rendering.guide_html(docs_markdown(spec)))


def docs_markdown(spec: dict[str, Any]) -> str:
    """Return the documentation of the API as Markdown. `spec` is the OpenAPI schema."""
    schemas = spec.get("components", {}).get("schemas", {})
    lines = [
        "# The API for programs\n",
        spec["info"].get("description", "") + "\n",
        "The full schema for tools is at [/openapi.json](/openapi.json).\n",
    ]
    for path, operations in spec["paths"].items():
        for method, operation in operations.items():
            lines += _operation_markdown(path, method, operation, schemas)
    return "\n".join(lines)


def _operation_markdown(path: str, method: str, operation: dict[str, Any], schemas: dict[str, Any]) -> list[str]:
    lines = [f"## {operation.get('summary', path)}", "", f"`{method.upper()} {path}`", ""]
    lines += [operation.get("description", ""), ""]
    parameters = [p for p in operation.get("parameters", []) if p.get("in") in ("path", "query")]
    if parameters:
        rows = [(f"`{p['name']}`", p["in"], p.get("description", "")) for p in parameters]
        lines += _markdown_table(("parameter", "in", "meaning"), rows)
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body:
        schema = _resolve_reference(body, schemas)
        marks = dict.fromkeys(schema.get("required", []), "")
        fields = schema.get("properties", {}).items()
        rows = [(f"`{n}`{marks.get(n, ' (optional)')}", _type_text(f), f.get("description", "")) for n, f in fields]
        lines += _markdown_table(("field", "type", "meaning"), rows)
        lines += ["```json", json.dumps(_example(schema, schemas), indent=2, ensure_ascii=False), "```", ""]
    statuses: list[tuple[str, str]] = []
    for status, response in operation.get("responses", {}).items():
        content = response.get("content", {}).get("application/json", {}).get("schema", {})
        name = content.get("$ref", "").rsplit("/", 1)[-1]
        statuses.append((status, f"{response.get('description', '')}{f' `{name}`' if name else ''}"))
    return [*lines, *_markdown_table(("status", "meaning"), statuses)]


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a Markdown table, with an empty line after it."""
    cells = [[" ".join(text.split()).replace("|", "\\|") for text in row] for row in (head, ["---"] * len(head), *rows)]
    return [*(f"| {' | '.join(row)} |" for row in cells), ""]


def _resolve_reference(schema: dict[str, Any], schemas: dict[str, Any]) -> dict[str, Any]:
    name = schema.get("$ref", "").rsplit("/", 1)[-1]
    found: dict[str, Any] = schemas.get(name, schema)
    return found


def _type_text(field: dict[str, Any]) -> str:
    if "anyOf" in field:
        return " or ".join(_type_text(option) for option in field["anyOf"])
    if "enum" in field:
        return " or ".join(f"`{value}`" for value in field["enum"])
    return str(field.get("type", "object"))


def _example(schema: dict[str, Any], schemas: dict[str, Any]) -> Any:
    """Return an example value for a JSON schema: its own example, its default, or an empty value of its type."""
    schema = _resolve_reference(schema, schemas)
    if schema.get("examples"):
        return schema["examples"][0]
    if "default" in schema and schema["default"] is not None:
        return schema["default"]
    if schema.get("enum"):
        return schema["enum"][0]
    if schema.get("type") == "object" or "properties" in schema:
        needed = schema.get("required", [])
        fields = schema.get("properties", {}).items()
        return {n: _example(f, schemas) for n, f in fields if n in needed or f.get("examples")}
    return {"string": "", "integer": 0, "number": 0, "boolean": True, "array": []}.get(str(schema.get("type")))
