"""What runs inside the programs' processes: PySpark with its sources supplied and its outputs recorded."""
