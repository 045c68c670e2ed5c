INSERT INTO terms
  SELECT term, sum(CASE WHEN col IN ('label', 'names') THEN doc ELSE 0 END)
  FROM vocabulary WHERE col NOT IN ('notes', 'said') GROUP BY term;
CREATE UNIQUE INDEX edges_by_source ON edges(source, relation, target, boilerplate);
CREATE INDEX edges_by_target ON edges(target, relation, source, boilerplate);
CREATE INDEX boilerplate ON edges(target, source) WHERE boilerplate;
CREATE INDEX nodes_by_area ON nodes(area) WHERE area IS NOT NULL;
CREATE INDEX nodes_by_degree ON nodes(degree DESC);
CREATE INDEX nodes_by_date ON nodes(kind, date);
CREATE VIEW episodes AS
  SELECT n, id, title, date, number, season, duration, podcast, type, guid, url, audio_url FROM nodes WHERE kind = 'episode';
CREATE VIEW citations AS
  SELECT a.name AS episode, b.name AS thing, b.kind AS kind, v.quote AS quote, CAST(v.time AS REAL) AS moment,
    coalesce(nullif(v.url, ''), b.url) AS link, e.relation AS relation, a.date AS date, v.method AS method,
    v.confidence AS confidence, a.id AS episode_id, b.id AS thing_id
  FROM edges e JOIN nodes a ON a.n = e.source JOIN nodes b ON b.n = e.target
    LEFT JOIN evidence v ON v.edge = e.id
  WHERE v.place IS NOT NULL OR e.relation IN ('cites', 'mentions', 'about');
CREATE VIEW related AS
  SELECT a.name AS episode, b.name AS related, e.weight AS weight, e.reasons AS reasons,
    a.id AS episode_id, b.id AS related_id
  FROM edges e JOIN nodes a ON a.n = e.source JOIN nodes b ON b.n = e.target WHERE e.relation = 'related'
  UNION
  SELECT b.name, a.name, e.weight, e.reasons, b.id, a.id
  FROM edges e JOIN nodes a ON a.n = e.source JOIN nodes b ON b.n = e.target WHERE e.relation = 'related';
