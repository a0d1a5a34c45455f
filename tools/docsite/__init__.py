"""MkDocs site of the documentation: hooks, generated pages and theme (``python -m mkdocs build``)."""
