"""A race with dice, heaps and named cards, for tests of scenes with many parts."""
