-- The newest run of each panel of each study.
SELECT *
FROM runs
QUALIFY row_number() OVER (PARTITION BY study, panel ORDER BY started DESC, run DESC) = 1
