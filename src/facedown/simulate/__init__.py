"""Simulation of many matches: random playouts, tournaments of bots (arena), and experiments that compare rules."""
