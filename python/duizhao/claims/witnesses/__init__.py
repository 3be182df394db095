"""The smallest cases in which a strict statement fails in floats, or that lie just outside of a restriction.

* `duizhao.claims.witnesses.scores`: rows of scores.
* `duizhao.claims.witnesses.reads`: weights with values.
* `duizhao.claims.witnesses.attentions`: attention.
* `duizhao.claims.witnesses.masks`: masked scores.
* `duizhao.claims.witnesses.temperatures`: scores at a temperature.
* `duizhao.claims.witnesses.blocks`: blocks of keys.
"""
