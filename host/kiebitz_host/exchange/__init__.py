"""Exchange games between laptops, folders and club databases."""
