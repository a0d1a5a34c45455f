"""Looking closer at a match: the coach's hints and reviews, and the replay."""
