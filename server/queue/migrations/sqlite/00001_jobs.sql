-- +goose Up

-- The jobs of the service. What a column means is said beside the struct row in row.go.
-- Times are microseconds since 1970, 0: never.
CREATE TABLE pavage_job (
    id        TEXT PRIMARY KEY,
    owner     TEXT NOT NULL,
    kind      TEXT NOT NULL,
    request   BLOB NOT NULL,
    memory    INTEGER NOT NULL,
    threads   INTEGER NOT NULL,
    timeout   INTEGER NOT NULL,
    lane      TEXT NOT NULL CHECK (lane IN ('short', 'long')),
    bytes     INTEGER NOT NULL,
    seconds   REAL NOT NULL,
    key       TEXT NOT NULL,
    state     TEXT NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'canceled')),
    version   INTEGER NOT NULL,
    attempts  INTEGER NOT NULL,
    progress  BLOB,
    plan      BLOB,
    failure   BLOB,
    created   INTEGER NOT NULL,
    started   INTEGER NOT NULL,
    ended     INTEGER NOT NULL,
    canceling INTEGER NOT NULL CHECK (canceling IN (0, 1)),
    epoch     INTEGER NOT NULL,
    worker    TEXT NOT NULL,
    lease     INTEGER NOT NULL,
    wake      INTEGER NOT NULL
) STRICT;

-- Lists of jobs, the newest first.
CREATE INDEX pavage_job_created ON pavage_job (created, id);
CREATE INDEX pavage_job_owner ON pavage_job (owner, created, id);
CREATE INDEX pavage_job_owner_state ON pavage_job (owner, state, created, id);
CREATE INDEX pavage_job_kind_state ON pavage_job (kind, state, created, id);

-- What is looked for again and again: the oldest job of a lane, leases that are over,
-- jobs to be removed.
CREATE INDEX pavage_job_queued ON pavage_job (lane, created) WHERE state = 'queued';
CREATE INDEX pavage_job_waiting ON pavage_job (lease) WHERE state = 'queued';
CREATE INDEX pavage_job_running ON pavage_job (lease) WHERE state = 'running';
CREATE INDEX pavage_job_ended ON pavage_job (ended) WHERE ended > 0;
