"""The web table under load: real players at real WebSockets, against servers that are started for it."""
