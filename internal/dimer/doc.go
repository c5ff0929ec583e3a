// Package dimer counts the perfect matchings of planar bipartite graphs: tilings by
// dominoes or lozenges of boards of any size.
package dimer
