SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at => now(), attempts => 0)
FROM graphile_worker.jobs
WHERE attempts = max_attempts AND locked_at IS NULL;
