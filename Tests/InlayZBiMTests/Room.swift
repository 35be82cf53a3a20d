// Makes the target exist; the first real file replaces it.
