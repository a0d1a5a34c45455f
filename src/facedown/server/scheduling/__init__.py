"""Fair scheduling of long computations on threads: bots' moves, hints, reviews and statistics."""

from facedown.server.scheduling.fair_queue import Rank, Share
from facedown.server.scheduling.thread_lanes import ThreadLanes

__all__ = ["Rank", "Share", "ThreadLanes"]
