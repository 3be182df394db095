"""Claims on what is false: `lean/NeuralNetworks/Counterexample/`, one module for each of its files.

A claim's case is a witness. Its gap is 0 if the numbers refute the false claim twice: as the reference functions compute
them in floats, and rigorously on balls. Else it is infinite. An equation is refuted in floats only where the two sides
differ by more than rounding could explain if they were equal over ℝ.
"""
