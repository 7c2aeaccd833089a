"""What the gate knows about language: sentences, mirror phrases, code tokens. It knows nothing of tags or documents."""
