"""Python beside the figures of the site: what they are compared with."""
