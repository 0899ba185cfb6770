"""The browser: tables on a server, what each seat may see of them, and the messages between the two."""
