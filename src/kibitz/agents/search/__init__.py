"""The compiled parts that agents share."""
