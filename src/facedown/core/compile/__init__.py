"""From rules to machine code: compiled by Numba, kept on disk, found by the type of a record."""
