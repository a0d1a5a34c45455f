"""Alembic's entry: runs the migrations on the connection that `Repository` hands in."""

from __future__ import annotations

from alembic import context

from facedown.store.schema import metadata


def run() -> None:
    """Bring the database to the newest revision within the caller's transaction."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    # The caller's transaction, not one of Alembic's own: it holds the lock that lets one process migrate at a time.
    context.run_migrations()


run()
