"""Random faults of servers, databases and connections under load: no acknowledged move is lost."""
