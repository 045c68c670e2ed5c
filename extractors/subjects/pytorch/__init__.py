"""What is known of PyTorch."""
