"""What a builder needs, made from the board profiles: wiring table, drawings, parts list, Wokwi diagram and case."""
