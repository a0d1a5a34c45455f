"""Page of the server's HTTP API, with the same content as ``/docs`` of a running server."""

from __future__ import annotations

from tempfile import TemporaryDirectory

#: Path of the page on the site.
URI = "api.md"
LEAD = "A running server shows this page under `/docs`, and the whole description for tools under `/openapi.json`."


def page() -> str:
    """Return the page as Markdown. It is made from the routes of the application, without starting a server."""
    from facedown.server.app import create_app
    from facedown.server.http.api_docs import docs_markdown
    from facedown.server.process.server_settings import ServerSettings

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        markdown = docs_markdown(create_app(ServerSettings(database=f"sqlite:///{folder}/site.db")).openapi())
    lines = markdown.splitlines()
    return "\n".join(LEAD if "](/openapi.json)" in line else line for line in lines)
