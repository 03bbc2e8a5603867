-- Every subscale's score of each trial's newest response: constant + sum of weight * value + offset. An
-- incomplete subscale is prorated where its scale allows that many missing items, and null otherwise.
WITH terms AS (
    SELECT study, scale, subscale, unnest("items") AS item, unnest(weights) AS weight, unnest(offsets) AS shift
    FROM subscales
),
sums AS (
    SELECT a.response, k.subscale, sum(k.weight * a.value + k.shift) AS linear, count(a.value) AS n_present
    FROM newest_responses AS r
    JOIN trials AS t USING (trial)
    JOIN answers AS a ON a.response = r.response
    JOIN terms AS k ON k.study = t.study AND k.scale = t.scale AND k.item = a.item
    GROUP BY a.response, k.subscale
)
SELECT r.response, t.trial, t.scale, s.subscale,
       CASE
           WHEN m.n_present = s.n_items THEN s.constant + m.linear
           WHEN m.n_present > 0 AND s.n_items - m.n_present <= s.missing_allowed
               THEN s.constant + m.linear * s.n_items / m.n_present
       END AS score,
       s.n_items, s.n_items - coalesce(m.n_present, 0) AS n_missing, r.attempt, r.status, r.source,
       t.* EXCLUDE (trial, scale)
FROM newest_responses AS r
JOIN trials AS t USING (trial)
JOIN subscales AS s ON s.study = t.study AND s.scale = t.scale
LEFT JOIN sums AS m ON m.response = r.response AND m.subscale = s.subscale
