"""The set-up of a show's repository: its settings, and the workflows that build and publish its page."""
