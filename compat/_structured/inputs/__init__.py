"""What comes in: which data each batch gets, planned first, and read then."""
