"""What the user named becomes bytes: addresses, files, folders, lists, pages, the snapshot."""
