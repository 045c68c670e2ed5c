"""The set-up of a show's repository: its settings, and the workflows to build and publish its page."""
