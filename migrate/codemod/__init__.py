"""From decisions to code: the new text of each module."""
