"""Game trees: positions of a game, the actions between them, and the information sets of the seats.

* `Tree` creates positions on demand and works for a game of any size. Chance picks a whole deal at the root, and a
  `Node` is a position with all its secrets.
* `GameTree` holds all positions of a small two-player game as arrays. Chance draws a card only when a seat first sees
  it, so a node represents all deals that look the same to both seats.
"""

from facedown.research.game_tree.full_tree import GameTree, TooLarge, build_full_tree
from facedown.research.game_tree.lazy_tree import CHANCE, MOST_DEALS, TERMINAL, Node, Tree, tree_of

__all__ = ["CHANCE", "MOST_DEALS", "TERMINAL", "GameTree", "Node", "TooLarge", "Tree", "build_full_tree", "tree_of"]
