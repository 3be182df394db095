"""What the build inserts into the pages: panels, tables, redirects, formulas. Nothing here knows MkDocs.

* `sources`: joins what Lean's record, the claims, the slack and the mutants say of each result.
* `words`: the Chinese words for states, relations and topics.
* `chinese`: the Chinese of the sources' English sentences.
* `navigation`: which pages the navigation shows.
* `markers`: finds `<!-- panel: id -->` and the like, and checks them.
* `panel`: the panel of one result.
* `conditions`: the conditions in it, and what breaks without each.
* `bugs`: the panels of the bugs, and the table of them; `commands`: the reference of the command.
* `contents`: the tables of topics and results on the home page, and what is said of the record.
* `index`: the list of results as data.
* `lessons`: the worked examples, and the numbers that the lessons print.
* `pictures`: drawings of computed numbers.
* `redirects`: the pages that lead from a full Lean name to its anchor.
* `formulas`: TeX to HTML, by KaTeX.
* `vocabulary`: the terms of the glossary, which search keeps whole.
* `packages`: what the site serves of the npm packages.
"""
