"""A trick-taking game without trumps, for tests of scenes with cards."""
