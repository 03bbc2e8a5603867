-- How far each run is: one row a run and status of its planned trials' newest attempts. Cost (US dollars)
-- and tokens are those of every attempt of such a trial.
WITH spent AS (
    SELECT coalesce(f.parent, r.trial) AS trial, sum(cost) AS cost, sum(tokens_in) AS tokens_in, sum(tokens_out) AS tokens_out,
           sum(tokens_cached) AS tokens_cached
    FROM responses AS r
    LEFT JOIN (SELECT trial, parent FROM trials WHERE step = 'again') AS f ON f.trial = r.trial
    GROUP BY ALL
)
SELECT n.run, n.status, count(*) AS responses, sum(s.cost) AS cost, sum(s.tokens_in)::BIGINT AS tokens_in,
       sum(s.tokens_out)::BIGINT AS tokens_out, sum(s.tokens_cached)::BIGINT AS tokens_cached,
       max(n.answered) AS answered
FROM newest_responses AS n
JOIN trials AS t USING (trial)
JOIN spent AS s USING (trial)
GROUP BY n.run, n.status
