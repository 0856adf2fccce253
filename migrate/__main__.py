"""``python -m migrate``: the command ``dstream-migrate``."""

from migrate.cli import main

if __name__ == "__main__":
    main()
