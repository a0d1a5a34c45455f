"""For learners and researchers: the same rules, thousands of matches at a time, in forms that programs know."""
