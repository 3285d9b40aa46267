"""What the player sees and presses: screens, texts, fonts and the drawing surface."""
