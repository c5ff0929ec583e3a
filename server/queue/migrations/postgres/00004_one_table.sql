-- +goose Up

-- Workers look for queued jobs in this table. Before, a second queue named the jobs.
DROP INDEX pavage_job_waiting;
ALTER TABLE pavage_job DROP COLUMN wake;
UPDATE pavage_job SET lease = 0 WHERE state = 'queued';
