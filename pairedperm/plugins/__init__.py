"""Plugins: pytest loads the one it is told to, inspect_ai the one of its entry point."""
