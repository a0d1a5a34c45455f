"""The API of a server as a page, as a running server tells of it under ``/docs``."""

from __future__ import annotations

from tempfile import TemporaryDirectory

#: Its place on the site.
URI = "api.md"
LEAD = "A running server shows this page under `/docs`, and the whole description for tools under `/openapi.json`."


def page() -> str:
    """The page, of a server that is not started: the description needs nothing but its routes."""
    from facedown.server.app import create_app
    from facedown.server.http.api_docs import docs_markdown
    from facedown.server.process.settings import ServerSettings

    with TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        markdown = docs_markdown(create_app(ServerSettings(database=f"sqlite:///{folder}/site.db")).openapi())
    lines = markdown.splitlines()
    return "\n".join(LEAD if "](/openapi.json)" in line else line for line in lines)
