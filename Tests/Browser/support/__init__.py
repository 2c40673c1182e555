"""What the browser tests stand on: a Farol of their own, browsers, and ways to wait and look."""
