"""RDF: the statements, and the three ways to write them."""
