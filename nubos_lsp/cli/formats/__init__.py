"""What the commands print: findings as text or JSON, and the drawing of source lines."""
