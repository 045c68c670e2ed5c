"""The rules' tables of hosts, addresses and names. A new line is new knowledge, without code."""
