"""HTTP layer of the server: middleware, pages, forms, JSON API, visitors and rate limits."""
