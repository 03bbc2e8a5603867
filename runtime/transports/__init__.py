"""Ways to models: one file a provider."""
