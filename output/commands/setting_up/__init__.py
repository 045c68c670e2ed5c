"""What sets a show's repository up: its settings, and the workflows that build and publish its page."""
