"""The parts of generate.py. Read README.md of the folder above first."""
