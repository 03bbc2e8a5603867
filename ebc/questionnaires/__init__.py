"""Questionnaires as benchmarks keep them, in a `questionnaires.json`: how they are read, how specs say them.

What only one benchmark has stands in a package of that benchmark's name.
"""
