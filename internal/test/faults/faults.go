// Package faults plants mistakes in the source of this module, one at a time, and sees
// whether the tests notice.
//
// # Purpose
//
// A test that passes says little unless it can also fail. So here are mistakes of the kinds
// that exact counters have made: a sum that wraps at 64 bits, a float, a hash in place of a
// key, an option that is left out, children that are swapped, draws by modulo, a bound off by
// one, a table that is not cleared, a check that is left out. Each names the test that must
// fail when the mistake is in the source.
//
// # How
//
// A [Fault] is a file, a text in it that occurs once, and another for it. The
// go command is told to read a copy of the file that has the other text, and
// runs the one test:
//
//	internal/engine/sweep/limbs.go ── Old → New ──► /tmp/…/limbs.go
//	                                              │
//	go test -overlay … -run '^TestLimbsWiden$' ./internal/engine/sweep
//
//	the test fails            caught
//	the test passes           missed: a test is missing
//	it does not build, or     an error: the fault is not what it was, or says
//	there is no such test     too little
//
// The source itself does not change. It has no hooks and no build tags for this, and
// nothing of this package is in the program.
//
// # Adding a fault
//
// Add it to a table (the files table_*.go), then
//
//	go test ./internal/test/faults -run TestFaultsAreCaught/NAME -v -args -faults
//	go test ./internal/test/faults -run TestDocument -args -update
//
// When code changes, TestFaultsFit says which faults do not find their text any more.
//
// # Non-goals
//
// No faults that a program invents: most of those do nothing or break everything. Every
// fault here is one that a programmer could make.
//
// # Cost
//
// A fault costs the build of a package and its test, which takes a few seconds, and a run
// of the test.
//
// # References
//
// DeMillo, Lipton and Sayward, "Hints on test data selection: help for the
// practicing programmer", Computer 11 (1978): tests judged by the faults they
// find.
package faults

import "slices"

// All are all faults, in the order of the house: from the cover to the command.
func All() []Fault {
	return slices.Concat(ofCovers, ofConditions, ofColours, ofSweeps, ofResidues, ofJumps, ofColourStates, ofLevels, ofWeights, ofSearches, ofSearchColours, ofPictures, ofHeat, ofDiagrams, ofPasses, ofCounts, ofPlanar, ofDimers, ofCouplings, ofEvidence, ofCertificates, ofJobs, ofQueues, ofChildren, ofCommands, ofAccess, ofDeployment, ofSources, ofSamples, ofStores, ofWraps, ofAPI, ofHostile, ofSlabs, ofWorkers, ofServer, ofServices, ofMarks, ofSolids, ofParameters, ofLattices, ofFormats, ofSealed, ofCompiling, ofQueries, ofWeb, ofPageQuestions, ofShared, ofBands, ofPipelines)
}
