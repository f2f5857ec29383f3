"""What people have, made plain: columns of labels, texts and numbers, checked."""
