"""Where agents run: processes that end when told to, or when the process that started them is gone."""
