CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE nodes (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  name TEXT AS (coalesce(nullif(title, ''), nullif(label, ''), id)) VIRTUAL,
  kind TEXT,
  label TEXT,
  url TEXT,
  title TEXT,
  date TEXT,
  area TEXT,
  repo TEXT,
  path TEXT,
  author TEXT,
  state TEXT,
  status TEXT,
  community TEXT,
  podcast TEXT,
  number,
  season,
  rank REAL,
  x REAL,
  y REAL,
  aliases TEXT,
  names TEXT,
  degree INTEGER NOT NULL,
  attributes TEXT,
  summary TEXT
);
CREATE TABLE keys (
  field TEXT NOT NULL,
  key TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (field, key, n)
) WITHOUT ROWID;
CREATE VIRTUAL TABLE nodes_fts USING fts5 /* Datasette looks for content="nodes" */ (
  label, names, place, notes, said, content='', detail=column, tokenize="unicode61 remove_diacritics 0"
);
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(nodes_fts, 'col');
CREATE TABLE terms (
  term TEXT PRIMARY KEY,
  names INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE episodes (
  n INTEGER PRIMARY KEY REFERENCES nodes(n),
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  podcast INTEGER REFERENCES nodes(n),
  number INTEGER,
  season INTEGER,
  title TEXT,
  date TEXT,
  duration INTEGER,
  guid TEXT,
  url TEXT,
  audio_url TEXT
);
CREATE TABLE edges (
  id INTEGER PRIMARY KEY,
  source INTEGER NOT NULL REFERENCES nodes(n),
  target INTEGER NOT NULL REFERENCES nodes(n),
  relation TEXT NOT NULL,
  weight,
  boilerplate INTEGER,
  reasons TEXT,
  attributes TEXT
);
CREATE TABLE relations (relation TEXT PRIMARY KEY, edges INTEGER NOT NULL);
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
  time,
  attributes TEXT,
  PRIMARY KEY (edge, place)
) WITHOUT ROWID;
