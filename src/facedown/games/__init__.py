"""The games: each package here is one game, found by the registry because it stands here."""
