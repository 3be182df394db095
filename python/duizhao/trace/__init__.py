"""The whole calculation of attention, step by step, for a worked example or for numbers of one's own.

* `problem`: what is given, from an example or from files, checked.
* `files`, `csv_file`, `json_file`, `npz_file`: reading numbers that somebody else wrote.
* `calculation`, `budgets`: every matrix computed, enclosed and bounded.
* `entry`: how one entry comes about; `notation`: numbers and formulas as text.
* `render`, `data`: the calculation for a reader, and as JSON values; `constants`: the lessons' other numbers.
* `plot`, `hull`, `fonts`: the picture.
* `command`: `duizhao trace`.
"""
