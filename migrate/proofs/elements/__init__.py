"""The elements of streams: their parts, their order, and who reads which of them."""
