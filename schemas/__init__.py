"""The contract between the rooms: record types, written once, and what is derived from them.

`plan` is what the compiler makes and the runtime executes; `rows` are the warehouse's tables;
`report` is what a report is made of; `render` turns a trial into the messages that are sent.
"""
