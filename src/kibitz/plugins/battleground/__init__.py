"""The battleground: many people's bots meet over the network and are ranked on a ladder."""
