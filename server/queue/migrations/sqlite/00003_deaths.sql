-- +goose Up

-- The tries since the last checkpoint that ended by a death: see types.go.
ALTER TABLE pavage_job ADD COLUMN deaths INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pavage_job ADD COLUMN lapses INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pavage_job ADD COLUMN checkpoint TEXT NOT NULL DEFAULT '';
