"""Tools for developers that work on a checkout of the repository; they are not part of the installed package."""
