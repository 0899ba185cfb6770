"""The experiments of the five documents, and some that follow from them: one TOML file each."""
