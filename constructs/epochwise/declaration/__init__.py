"""How a declaration is read: quantities, YAML, and mistakes told in the user's terms."""
