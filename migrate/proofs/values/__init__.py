"""Values that are certain: of variables, attributes and arguments, before a program starts and after."""
