// What of the agent memory is searched by its words: events once the indexer has taken them, and nodes as they are now.
CREATE FULLTEXT INDEX memory_event_words IF NOT EXISTS FOR (n:IndexedEvent) ON EACH [n.text, n.store]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'english' } };
CREATE FULLTEXT INDEX toc_words IF NOT EXISTS FOR (n:TocLatest) ON EACH [n.words, n.store]
OPTIONS { indexConfig: { `fulltext.analyzer`: 'english' } };
