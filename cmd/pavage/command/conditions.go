package command

import (
	"github.com/spf13/cobra"

	"github.com/pavage/pavage/job"
)

// conditionNames are the names of these flags.
var conditionNames = []string{"with", "without", "exactly", "at-least", "at-most", "apart", "no-four-corners", "fault-free"}

// conditionFlags adds the flags that say which tilings are meant.
func conditionFlags(cmd *cobra.Command, c *job.Conditions) {
	flags := cmd.Flags()
	flags.StringArrayVar(&c.With, "with", nil, "only tilings with at least one of these placements, `PLACEMENTS`: PIECE, PIECE@CELL, PIECE@CELL/CELL, CELL=PIECE, CELL, PIECE:ORIENTATION or #NUMBER; 0,* and 0,2..4 mean several cells, a + joins placements; repeatable")
	flags.StringArrayVar(&c.Without, "without", nil, "only tilings with none of these `PLACEMENTS`; repeatable")
	flags.StringArrayVar(&c.Exactly, "exactly", nil, "only tilings with exactly K of these placements, `K:PLACEMENTS`, such as 2:I3+L3; repeatable")
	flags.StringArrayVar(&c.AtLeast, "at-least", nil, "only tilings with K or more of these placements, `K:PLACEMENTS`; repeatable")
	flags.StringArrayVar(&c.AtMost, "at-most", nil, "only tilings with K or fewer of these placements, `K:PLACEMENTS`; repeatable")
	flags.StringArrayVar(&c.Apart, "apart", nil, "`A,B`, such as I5,X5 or 0,0=domino,V5+X5: only tilings in which none of the placements A has a face in common with one of the placements B; repeatable")
	flags.BoolVar(&c.NoFourCorners, "no-four-corners", false, "only tatami tilings, without a corner where four pieces meet, on boards of squares")
	flags.BoolVar(&c.FaultFree, "fault-free", false, "only tilings of a rectangle without a fault line, a straight line through it that cuts no piece")
}
