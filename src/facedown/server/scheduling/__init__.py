"""Fair shares of the processor for what is thought about: bots' moves, hints, looks back, sums."""

from facedown.server.scheduling.fair_queue import Rank, Share
from facedown.server.scheduling.thread_lanes import ThreadLanes

__all__ = ["Rank", "Share", "ThreadLanes"]
