-- The steps of a merge, each after a line `-- step:`. Names in braces are filled in by merging.py.
-- `part` is a temporary database with all nodes, edges and evidence; `added` is the graph that is being added.

-- step: create
CREATE TABLE part.nodes (n INTEGER PRIMARY KEY, id TEXT UNIQUE, strength INTEGER, {node}, attributes);
CREATE TABLE part.edges (source INTEGER, target INTEGER, relation TEXT, weight, boilerplate, reasons, attributes);
CREATE TABLE part.evidence (source INTEGER, target INTEGER, relation TEXT, url, {evidence}, attributes);
CREATE TABLE part.numbers (n INTEGER PRIMARY KEY, new INTEGER);
CREATE TEMP TABLE same (n INTEGER PRIMARY KEY, new INTEGER);  -- nodes that become others
CREATE TEMP TABLE pages (n INTEGER PRIMARY KEY);  -- those of them that become episodes

-- step: add
-- An episode that was read wins over a cited one, a pull request over an issue, else the later one. Ranks are shares of
-- a graph: those in a larger graph count more.
INSERT INTO part.nodes (id, strength, {node}, attributes)
  SELECT id, iif(title <> '' AND attributes ->> '$.looked_up' IS NULL, 4, CASE kind {strength} ELSE 0 END),
    {ranked}, attributes
  FROM added.nodes WHERE true
  ON CONFLICT (id) DO UPDATE SET {columns}, strength = max(excluded.strength, strength),
    attributes = iif(
      excluded.strength >= strength,
      join_attributes(attributes, excluded.attributes), join_attributes(excluded.attributes, attributes)
    );
DELETE FROM part.numbers;
INSERT INTO part.numbers SELECT a.n, p.n FROM added.nodes a JOIN part.nodes p ON p.id = a.id;
INSERT INTO part.edges
  SELECT s.new, t.new, relation, weight, boilerplate, reasons, attributes
  FROM added.edges e JOIN part.numbers s ON s.n = e.source JOIN part.numbers t ON t.n = e.target;
INSERT INTO part.evidence
  SELECT s.new, t.new, e.relation, coalesce(v.url, o.url, ''), {evidence}, v.attributes
  FROM added.evidence v JOIN added.edges e ON e.id = v.edge JOIN added.nodes o ON o.n = e.target
    JOIN part.numbers s ON s.n = e.source JOIN part.numbers t ON t.n = e.target;

-- step: persons
-- Those with an account first: their ids remain.
SELECT n, label, url, coalesce(attributes ->> '$.profiles', '[]'), attributes ->> '$.hosts' IS NOT NULL OR n IN (
  SELECT target FROM part.edges WHERE attributes ->> '$.role' IN ('host', 'guest')
) FROM part.nodes WHERE kind = 'person' ORDER BY id LIKE '%/%', n

-- step: move
UPDATE part.evidence SET relation = 'see_also', method = 'crosslink', extractor = 'crosslinks'
  WHERE target IN (SELECT n FROM pages);
UPDATE part.edges SET relation = 'see_also' WHERE target IN (SELECT n FROM pages);
UPDATE part.edges SET source = m.new FROM same m WHERE source = m.n;
UPDATE part.edges SET target = m.new FROM same m WHERE target = m.n;
UPDATE part.evidence SET source = m.new FROM same m WHERE source = m.n;
UPDATE part.evidence SET target = m.new FROM same m WHERE target = m.n;

-- step: rare
CREATE TEMP TABLE citing AS
  SELECT DISTINCT e.target, e.source, s.podcast, e.relation = 'cites' AS is_cited
  FROM part.edges e JOIN part.nodes s ON s.n = e.source JOIN part.nodes t ON t.n = e.target
  WHERE e.relation IN ('cites', 'mentions') AND e.boilerplate IS NULL
    AND t.kind NOT IN ({no_subject}) AND NOT is_own(t.url);
CREATE INDEX temp.by_target ON citing(target);
CREATE TEMP TABLE rare AS
  SELECT target AS n, count(DISTINCT source) AS holders FROM citing
  GROUP BY target HAVING holders BETWEEN 2 AND {holders} AND count(DISTINCT podcast) > 1;

-- step: related
SELECT a.source, b.source, r.holders, coalesce(nullif(t.title, ''), t.label), max(a.is_cited AND b.is_cited),
  t.kind = 'web'
FROM rare r JOIN citing a ON a.target = r.n JOIN citing b ON b.target = r.n AND b.podcast <> a.podcast
  JOIN part.nodes t ON t.n = r.n
GROUP BY a.source, b.source, r.n ORDER BY a.source, b.source, r.holders, t.id

-- step: fill
DELETE FROM part.nodes WHERE n IN (SELECT n FROM same);
DELETE FROM part.numbers;
INSERT INTO part.numbers SELECT n, row_number() OVER (ORDER BY id) FROM part.nodes;
INSERT INTO nodes (n, id, {node}, degree, attributes)
  SELECT s.new, id, {node}, 0, attributes FROM part.numbers s JOIN part.nodes USING (n) ORDER BY s.new;
INSERT INTO edges
  SELECT row_number() OVER (ORDER BY s.new, t.new, relation), s.new, t.new, relation, max(weight), max(boilerplate),
    reasons, attributes
  FROM part.edges e JOIN part.numbers s ON s.n = e.source JOIN part.numbers t ON t.n = e.target
  WHERE s.new <> t.new GROUP BY s.new, t.new, relation;
INSERT INTO evidence
  SELECT id, row_number() OVER (PARTITION BY id ORDER BY field <> 'title', field, start, "end", method, url), url,
    {evidence}, attributes
  FROM (
    SELECT DISTINCT e.id, nullif(v.url, coalesce(t.url, '')) AS url, {evidence}, v.attributes
    FROM part.evidence v JOIN part.numbers s ON s.n = v.source JOIN part.numbers o ON o.n = v.target
      JOIN edges e ON e.source = s.new AND e.target = o.new AND e.relation = v.relation
      JOIN part.nodes t ON t.n = v.target
  );
UPDATE edges SET weight = v.pieces
  FROM (SELECT edge, count(*) AS pieces FROM evidence GROUP BY edge) v
  WHERE v.edge = id AND relation IN ('cites', 'mentions') AND weight <> v.pieces;
UPDATE nodes SET degree = d.degree
  FROM (
    SELECT n, count(*) AS degree FROM (SELECT source AS n FROM edges UNION ALL SELECT target FROM edges) GROUP BY n
  ) d WHERE d.n = nodes.n;
UPDATE nodes SET attributes = json_set(attributes, '$.count', a.items)
  FROM (SELECT target, count(*) AS items FROM edges WHERE relation = 'about' GROUP BY target) a
  WHERE a.target = n AND attributes ->> '$.count' IS NOT NULL;
