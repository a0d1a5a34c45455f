"""Fair shares of the processor for what is thought about: bots' moves, hints, looks back, sums."""

from facedown.server.thinking.fair import Rank, Share
from facedown.server.thinking.lanes import Thinking

__all__ = ["Rank", "Share", "Thinking"]
