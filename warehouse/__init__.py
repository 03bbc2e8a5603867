"""The warehouse: responses become tables, tables become scores, scores become a report.

Parquet files in one folder, written by `parquet` and `register`, opened by `catalog`, asked by `query`,
compared by `contrasts`, held against published values by `expectations`, and laid out by `report`.
"""
