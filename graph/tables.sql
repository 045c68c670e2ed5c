CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE nodes (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT AS (coalesce(nullif(title, ''), nullif(label, ''), id)) VIRTUAL,
  kind TEXT,
  label TEXT,
  title TEXT,
  url TEXT,
  date TEXT,
  podcast TEXT,
  number ANY,
  season ANY,
  duration ANY,
  type TEXT,
  guid TEXT,
  audio_url TEXT,
  area TEXT,
  repo TEXT,
  path TEXT,
  author TEXT,
  state TEXT,
  status TEXT,
  community TEXT,
  rank REAL,
  x REAL,
  y REAL,
  aliases TEXT,
  names TEXT,
  degree INTEGER NOT NULL,
  attributes TEXT,
  summary TEXT
) STRICT;
CREATE TABLE keys (
  field TEXT NOT NULL,
  key TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (field, key, n)
) STRICT, WITHOUT ROWID;
CREATE VIRTUAL TABLE nodes_fts USING fts5 /* Datasette looks for content="nodes" */ (
  label, names, place, notes, said, content='', detail=column, tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co Mc'"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(nodes_fts, 'col');
CREATE TABLE terms (term TEXT PRIMARY KEY, names INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE edges (
  id INTEGER PRIMARY KEY,
  source INTEGER NOT NULL REFERENCES nodes(n),
  target INTEGER NOT NULL REFERENCES nodes(n),
  relation TEXT NOT NULL,
  weight ANY,
  boilerplate INTEGER,
  reasons TEXT,
  attributes TEXT
) STRICT;
CREATE TABLE evidence (
  edge INTEGER NOT NULL REFERENCES edges(id),
  place INTEGER NOT NULL,
  url TEXT,
  field TEXT,
  start INTEGER,
  "end" INTEGER,
  quote TEXT,
  method TEXT,
  extractor TEXT,
  confidence REAL,
  ref TEXT,
  lines TEXT,
  time ANY,
  attributes TEXT,
  PRIMARY KEY (edge, place)
) STRICT, WITHOUT ROWID;
