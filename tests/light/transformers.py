"""In the way of the real one, which evaluate imports where it is, for seconds."""

raise ImportError("no test of this interpreter needs it: see tests/interpreter.py")
