// Package automaton turns a cover into an automaton.
package automaton
