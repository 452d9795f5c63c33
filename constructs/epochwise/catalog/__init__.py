"""What AWS offers, as data with source and date, and the loaders that join it; no opinions and no network."""
