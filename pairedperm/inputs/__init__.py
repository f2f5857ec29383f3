"""Check what people pass, and turn it into columns of labels, texts and numbers."""
