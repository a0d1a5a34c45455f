"""Tables that are being played: the rooms in memory, the connections to them, and what each page of theirs shows."""
