-- +goose Up

-- The jobs of the service. What a column means is said beside the struct row in row.go.
-- Times are microseconds since 1970, 0: never.
CREATE TABLE pavage_job (
    id        text PRIMARY KEY,
    owner     text NOT NULL,
    kind      text NOT NULL,
    request   bytea NOT NULL,
    memory    bigint NOT NULL,
    threads   bigint NOT NULL,
    timeout   bigint NOT NULL,
    lane      text NOT NULL CHECK (lane IN ('short', 'long')),
    bytes     bigint NOT NULL,
    seconds   double precision NOT NULL,
    key       text NOT NULL,
    state     text NOT NULL CHECK (state IN ('queued', 'running', 'done', 'failed', 'canceled')),
    version   bigint NOT NULL,
    attempts  bigint NOT NULL,
    progress  bytea,
    plan      bytea,
    failure   bytea,
    created   bigint NOT NULL,
    started   bigint NOT NULL,
    ended     bigint NOT NULL,
    canceling bigint NOT NULL CHECK (canceling IN (0, 1)),
    epoch     bigint NOT NULL,
    worker    text NOT NULL,
    lease     bigint NOT NULL,
    wake      bigint NOT NULL
);

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
