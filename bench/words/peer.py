"""SQLite FTS5, controlled by lines of JSON: build indexes texts, ask answers questions.

The table is in memory and holds no copy of the texts, like graph/index.
"""

import json
import sqlite3
import sys
import time

db = sqlite3.connect(":memory:")
db.execute("CREATE VIRTUAL TABLE t USING fts5(text, content='')")

for line in sys.stdin:
    said = json.loads(line)
    began = time.perf_counter()
    hits = []
    if said["verb"] == "build":
        with db:
            db.executemany("INSERT INTO t(rowid, text) VALUES (?, ?)", enumerate(said["texts"], 1))
        db.execute("INSERT INTO t(t) VALUES ('optimize')")
    else:
        for text in said["texts"]:
            any_of = " OR ".join(f'"{word}"' for word in text.split())
            found = db.execute("SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank LIMIT ?", (any_of, said["limit"]))
            hits.append([row[0] - 1 for row in found])
    print(json.dumps({"Hits": hits, "Seconds": time.perf_counter() - began}), flush=True)
