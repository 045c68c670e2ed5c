"""Makes the index of PyTorch's names that the package ships; see the README beside this file."""
