"""Database storage of tables and moves through SQLAlchemy: an SQLite file in the user's data folder, or PostgreSQL.

Each table has a revision, which counts its changes. A change is written in one transaction, which fails if the stored
revision is not the revision that the change is based on. When `Repository.write` returns, the change is on disk.
"""

from facedown.store.database_url import default_url, url_of
from facedown.store.errors import StoreError
from facedown.store.repository import Person, Repository, hash_token, new_token
from facedown.store.table_writes import Conflict

__all__ = ["Conflict", "Person", "Repository", "StoreError", "default_url", "hash_token", "new_token", "url_of"]
