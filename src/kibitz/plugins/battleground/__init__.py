"""The battleground: bots of many people meet over the network, and a ladder is kept."""
