"""Read the user's sources as bytes: addresses, files, folders, lists, pages, the snapshot."""
