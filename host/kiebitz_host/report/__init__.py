"""Play a scenario on a device, compare it with the simulator, and write one file to send back."""
