"""What is asked for and answered: pages, forms, the JSON API, who asks, and how much anybody may ask."""
