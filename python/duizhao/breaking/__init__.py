"""`duizhao break`: what goes wrong where a hypothesis is dropped, or where the calculation goes on.

* `duizhao.breaking.drop`: drop one hypothesis of a theorem, and find the smallest counterexample.
* `duizhao.breaking.beyond`: go on after one read: projection, residual, heads, float16, two layers.
* `duizhao.breaking.render`, `duizhao.breaking.command`: the command.
"""
