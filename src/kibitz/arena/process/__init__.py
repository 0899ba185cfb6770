"""Where agents run: processes that end when they are told to, or when whatever started them is gone."""
