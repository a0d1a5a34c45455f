"""Many matches at once: compiled random playouts, batches and their counts."""
