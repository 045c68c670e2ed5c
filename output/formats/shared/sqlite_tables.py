"""The tables of a SQLite graph, and how to know one."""

from __future__ import annotations

TABLES = """
CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE nodes (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  kind TEXT,
  label TEXT,
  url TEXT,
  title TEXT,
  date TEXT,
  summary TEXT,
  attributes TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE episodes (
  id TEXT PRIMARY KEY REFERENCES nodes(id),
  number INTEGER,
  season INTEGER,
  title TEXT,
  date TEXT,
  duration INTEGER,
  podcast TEXT REFERENCES nodes(id),
  guid TEXT,
  url TEXT,
  audio_url TEXT
);
CREATE TABLE edges (
  id INTEGER PRIMARY KEY,
  source TEXT NOT NULL REFERENCES nodes(id),
  target TEXT NOT NULL REFERENCES nodes(id),
  relation TEXT NOT NULL,
  weight,
  reasons TEXT,
  attributes TEXT NOT NULL DEFAULT '{}'
);
CREATE TABLE evidence (
  id INTEGER PRIMARY KEY,
  edge INTEGER NOT NULL REFERENCES edges(id),
  field TEXT,
  start INTEGER,
  "end" INTEGER,
  quote TEXT,
  method TEXT,
  extractor TEXT,
  confidence REAL,
  url TEXT,
  ref TEXT,
  lines TEXT,
  time TEXT,
  attributes TEXT NOT NULL DEFAULT '{}'
);
"""
INDEXES = """
CREATE UNIQUE INDEX edges_by_source ON edges(source, relation, target);
CREATE INDEX edges_by_target ON edges(target, relation);
CREATE INDEX evidence_by_edge ON evidence(edge);
CREATE INDEX nodes_by_kind ON nodes(kind, label);
CREATE INDEX nodes_by_url ON nodes(url);
CREATE INDEX episodes_by_date ON episodes(date);
CREATE VIRTUAL TABLE nodes_fts USING fts5(
  label, title, summary, url, id, content="nodes", content_rowid="n", tokenize="unicode61 remove_diacritics 2"
);
INSERT INTO nodes_fts(nodes_fts) VALUES ('rebuild');
CREATE VIEW citations AS
  SELECT e.source AS episode, coalesce(a.title, a.label) AS episode_title, a.date AS date,
    e.target AS cited, b.kind AS kind, b.label AS label, b.url AS url,
    v.quote AS quote, v.method AS method, v.confidence AS confidence, v.url AS link
  FROM edges e JOIN nodes a ON a.id = e.source JOIN nodes b ON b.id = e.target
    LEFT JOIN evidence v ON v.edge = e.id
  WHERE e.relation = 'cites';
CREATE VIEW related AS
  SELECT e.source AS episode, coalesce(a.title, a.label) AS episode_title,
    e.target AS other, coalesce(b.title, b.label) AS other_title, e.weight AS weight, e.reasons AS reasons
  FROM edges e JOIN nodes a ON a.id = e.source JOIN nodes b ON b.id = e.target WHERE e.relation = 'related'
  UNION
  SELECT e.target, coalesce(b.title, b.label), e.source, coalesce(a.title, a.label), e.weight, e.reasons
  FROM edges e JOIN nodes a ON a.id = e.source JOIN nodes b ON b.id = e.target WHERE e.relation = 'related';
"""
PRAGMAS = "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;"
APPLICATION = 0x706F6467  # "podg"
VERSION = 1
NODE_TEXTS = ("kind", "label", "url", "title", "date", "summary")
EPISODE_NUMBERS = ("number", "season", "duration")
EPISODE_TEXTS = ("title", "date", "guid", "url", "audio_url")
EVIDENCE_TEXTS = ("field", "quote", "method", "extractor", "url", "ref", "lines", "time")
