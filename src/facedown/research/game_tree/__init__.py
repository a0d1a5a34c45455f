"""Game trees: the positions of a game, the actions between them, and what each seat knows.

`Tree` makes positions one at a time as they are played to, for a game of any size; chance picks a deal at the root, and
a `Node` holds all secrets of its position. `GameTree` has the whole of a small game for two as arrays; chance is taken
as late as possible, so a node stands for all deals that look alike to both seats.
"""

from facedown.research.game_tree.full_tree import GameTree, TooLarge, grow
from facedown.research.game_tree.lazy_tree import CHANCE, MOST_DEALS, TERMINAL, Node, Tree, tree_of

__all__ = ["CHANCE", "MOST_DEALS", "TERMINAL", "GameTree", "Node", "TooLarge", "Tree", "grow", "tree_of"]
