"""Tables and moves in a database, through SQLAlchemy: SQLite in the user's data folder, or PostgreSQL by address.

A change is written in one transaction that names the revision it builds on; when `Store.write` returns, it is on disk.
"""

from facedown.store.keeper import Conflict, Person, Store, hash_token, new_token
from facedown.store.places import StoreError, default_url, url_of

__all__ = ["Conflict", "Person", "Store", "StoreError", "default_url", "hash_token", "new_token", "url_of"]
