"""Duizhao."""
