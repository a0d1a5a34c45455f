"""Load test of the web table: simulated players over real WebSockets, against servers started for the test."""
