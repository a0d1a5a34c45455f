"""For learners and researchers: the same rules in the forms that their programs know."""
