"""Store games on flash, with undo, redo and replay."""
