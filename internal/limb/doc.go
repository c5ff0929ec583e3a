// Package limb has numbers of several 64-bit words, limbs, the lowest first.
package limb
