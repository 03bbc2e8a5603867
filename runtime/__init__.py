"""Turns a plan into responses: asks a transport, reads the replies, hands rows to a sink.

Knows no grammar, no provider outside `transports/`, and no format of storage but its own journal.
"""
