-- +goose Up

-- What is known of earlier tries: see row.go.
ALTER TABLE pavage_job ADD COLUMN refund INTEGER NOT NULL DEFAULT 0;
ALTER TABLE pavage_job ADD COLUMN worked INTEGER NOT NULL DEFAULT 0;
