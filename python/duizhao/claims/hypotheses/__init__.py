"""Hypotheses of theorems as predicates on cases: what strategies promise, and what `--drop` lets go of.

Each predicate says in its docstring what holds; that sentence stands in pages and in the command's output.

* `duizhao.claims.hypotheses.scores`: of theorems on rows of scores.
* `duizhao.claims.hypotheses.reads`: of theorems on weights with values.
* `duizhao.claims.hypotheses.attentions`: of theorems on attention.
* `duizhao.claims.hypotheses.heads`: of theorems on several heads.
* `duizhao.claims.hypotheses.roundings`: of theorems on rounding.
* `duizhao.claims.hypotheses.random_variables`: of theorems on variances.
* `duizhao.claims.hypotheses.blocks`: of theorems on blocks of keys.
* `duizhao.claims.hypotheses.counterexamples`: of theorems that a claim is false.
* `duizhao.claims.hypotheses.masks`: of theorems on masked scores.
* `duizhao.claims.hypotheses.temperatures`: of theorems on softmax at a temperature.
* `duizhao.claims.hypotheses.parts`: the parts of those that are conjunctions.
"""
