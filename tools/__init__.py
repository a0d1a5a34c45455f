"""Tools for developers, used in a checkout of the repository. They are not part of the installed package."""
