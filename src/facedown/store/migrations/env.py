"""Alembic environment: runs the migrations on the connection that `engine.migrate` passes in."""

from __future__ import annotations

from alembic import context

from facedown.store.schema import metadata


def run() -> None:
    """Migrate the database to the newest schema within the caller's transaction."""
    connection = context.config.attributes["connection"]
    context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
    # Alembic must use the caller's transaction, which holds the lock that lets only one process migrate at a time.
    context.run_migrations()


run()
