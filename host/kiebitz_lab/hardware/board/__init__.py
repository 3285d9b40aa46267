"""Build the circuit board: schematic, layout, files for the factory and the checks of all of them."""
