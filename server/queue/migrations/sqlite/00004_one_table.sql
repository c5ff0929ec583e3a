-- +goose Up

-- Workers look for queued jobs in this table. Before, a second queue named the jobs.
DROP INDEX pavage_job_waiting;
ALTER TABLE pavage_job DROP COLUMN wake;
UPDATE pavage_job SET lease = 0 WHERE state = 'queued';
DROP TABLE IF EXISTS river_client_queue;
DROP TABLE IF EXISTS river_client;
DROP TABLE IF EXISTS river_queue;
DROP TABLE IF EXISTS river_leader;
DROP TABLE IF EXISTS river_job;
DROP TABLE IF EXISTS river_migration;
