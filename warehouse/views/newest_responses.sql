-- The newest attempt of each trial: what scores and reports are made of.
SELECT *
FROM responses
QUALIFY row_number() OVER (PARTITION BY trial ORDER BY attempt DESC) = 1
