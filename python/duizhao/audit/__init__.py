"""Audit: is somebody else's attention an attention?

`duizhao audit MODULE:FUNCTION` runs every claim that can be seen from outside on any function of queries, keys and
values, and reports its policies, the choices on which correct programs differ.

* `subject`: what is audited, and the adapter that says how to call it.
* `adapters`: adapters for libraries, found by the name of the function.

A function `f(query, key, value, mask=None, *, is_causal=False, scale=None)` on arrays `(batch, heads, length, width)`
needs no adapter: its keywords are read from its signature. Any other takes a few lines:

    from duizhao.audit.subject import Adapter

    ADAPTER = Adapter(layout="blhd", dtypes=("float32",), mask="keep", names={"mask": "attn_mask"})

and `duizhao audit my_model:attention --adapter my_adapters:ADAPTER`. Where names and layout are not enough, `call`
says how to call the function.
"""
