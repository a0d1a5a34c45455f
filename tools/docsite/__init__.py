"""The documentation's site: what MkDocs cannot know by itself, and how it looks (``python -m mkdocs build``)."""
