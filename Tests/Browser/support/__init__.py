"""Support for browser tests: Farol servers, browsers, and functions to wait and inspect."""
