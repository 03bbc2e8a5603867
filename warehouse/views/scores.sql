-- Every subscale's score of each trial's newest response, in the newest run of each panel: constant + sum of
-- weight * value + offset, or what its formula gives. An incomplete subscale is null, unless its scale allows that
-- many missing items: then each sum and mean in it is made up for from what it has, and null where it has nothing.
-- `measured` is materialized because nothing is known of the tables' sizes: without it the terms can be
-- joined with the trials, all with all, before the answers come in.
WITH measured AS MATERIALIZED (
    SELECT r.response, r.attempt, r.status, r.source, t.trial, t.study, t.scale
    FROM newest_responses AS r
    JOIN trials AS t USING (trial)
    WHERE t.run IN (SELECT run FROM newest_runs)
),
terms AS (
    SELECT study, scale, subscale, unnest("items") AS item, unnest(weights) AS weight, unnest(offsets) AS shift,
           unnest(calls) AS call
    FROM subscales
    WHERE formula IS NULL
),
sizes AS (
    SELECT study, scale, subscale, call, count(*) AS size FROM terms GROUP BY ALL
),
partial AS (
    SELECT a.response, k.study, k.scale, k.subscale, k.call, sum(k.weight * a.value + k.shift) AS linear,
           count(a.value) AS present
    FROM answers AS a
    JOIN measured AS m ON m.response = a.response
    JOIN terms AS k ON k.study = m.study AND k.scale = m.scale AND k.item = a.item
    GROUP BY ALL
),
sums AS (
    SELECT p.response, p.subscale, sum(p.linear * z.size / p.present) AS linear, sum(p.present) AS n_present,
           count(p.linear) AS n_calls
    FROM partial AS p
    JOIN sizes AS z USING (study, scale, subscale, call)
    GROUP BY ALL
)
SELECT m.response, m.trial, m.scale, s.subscale,
       CASE
           WHEN s.formula IS NOT NULL THEN f.score
           WHEN x.n_calls = len(list_distinct(s.calls)) AND s.n_items - x.n_present <= s.missing_allowed
               THEN s.constant + x.linear
       END AS score,
       s.n_items, coalesce(f.n_missing, s.n_items - coalesce(x.n_present, 0)) AS n_missing, m.attempt, m.status, m.source,
       t.* EXCLUDE (trial, scale)
FROM measured AS m
JOIN trials AS t ON t.trial = m.trial
JOIN subscales AS s ON s.study = m.study AND s.scale = m.scale
LEFT JOIN sums AS x ON x.response = m.response AND x.subscale = s.subscale
LEFT JOIN formula_scores AS f ON f.response = m.response AND f.subscale = s.subscale
