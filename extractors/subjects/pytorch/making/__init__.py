"""The index of PyTorch's names is made here, from a wheel and the files under facts."""
