-- The newest answer to each trial: what scores and reports are made of. An answer to a follow-up is one to its trial,
-- and takes the place of the answer that made it be asked; a failure never does.
SELECT r.* REPLACE (coalesce(f.parent, r.trial) AS trial)
FROM responses AS r
LEFT JOIN (SELECT trial, parent, stage FROM trials WHERE step = 'again') AS f ON f.trial = r.trial
QUALIFY row_number() OVER (
    PARTITION BY coalesce(f.parent, r.trial)
    ORDER BY (r.status = 'error' AND f.stage IS NOT NULL), coalesce(f.stage, 0) DESC, r.attempt DESC
) = 1
