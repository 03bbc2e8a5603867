-- Scores that are no weighted sums: one row a response and subscale with a formula. For each formula in `subscales`,
-- ebc writes its SQL where a mark stands below: `complete` for responses that lack none of its items, `prorated`
-- for those that lack no more than the scale allows. v1, v2, ... are the answers to items 1, 2, ...
WITH formulas AS (
    SELECT study, scale, subscale, "items", missing_allowed, md5(formula) AS formula
    FROM subscales
    WHERE formula IS NOT NULL
),
measured AS MATERIALIZED (
    SELECT r.response, t.study, t.scale, t.stimulus
    FROM newest_responses AS r
    JOIN trials AS t USING (trial)
    SEMI JOIN formulas AS f ON f.study = t.study AND f.scale = t.scale
    WHERE t.run IN (SELECT run FROM newest_runs)
),
given AS (
    SELECT a.response, list(a.item) FILTER (a.value IS NOT NULL) AS present/* values */
    FROM answers AS a
    SEMI JOIN measured AS m ON m.response = a.response
    GROUP BY a.response
),
cells AS (
    SELECT m.response, f.subscale, f.formula, f.missing_allowed,
           len(f."items") - coalesce(len(list_intersect(f."items", g.present)), 0) AS n_missing,
           s.fields, g.* EXCLUDE (response, present)
    FROM measured AS m
    JOIN formulas AS f ON f.study = m.study AND f.scale = m.scale
    LEFT JOIN given AS g ON g.response = m.response
    LEFT JOIN stimuli AS s ON s.study = m.study AND s.stimulus = m.stimulus
)
SELECT response, subscale, n_missing,
       CASE
           WHEN n_missing = 0 THEN CASE formula/* complete */ END
           WHEN n_missing <= missing_allowed THEN CASE formula/* prorated */ END
       END AS score
FROM cells
