"""Reveal: lay cards face down in three columns, then stake your Final Card on one. Rules: ``docs/rules/reveal.md``."""
