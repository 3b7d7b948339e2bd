/* The schema, as the steps that made it. A step is never changed once it is out; what is new is a new step. */
#include "sim/store/private.h"

/* 1: sweeps, points, what was set, what came out, with what it was made. */
static const char first[] =
    "CREATE TABLE experiments ("
    "  id INTEGER PRIMARY KEY,"
    "  name TEXT NOT NULL UNIQUE,"
    "  entered INTEGER NOT NULL," /* counts up: the latest has the greatest */
    "  text TEXT NOT NULL);"      /* the sweep file */
    "CREATE TABLE axes ("
    "  experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,"
    "  axis INTEGER NOT NULL,"
    "  name TEXT NOT NULL,"
    "  PRIMARY KEY (experiment, axis)) WITHOUT ROWID;"
    "CREATE TABLE objectives ("
    "  experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  figure TEXT NOT NULL,"
    "  better TEXT NOT NULL CHECK (better IN ('smaller', 'larger')),"
    "  PRIMARY KEY (experiment, position)) WITHOUT ROWID;"
    "CREATE TABLE constraints ("
    "  experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  figure TEXT NOT NULL,"
    "  op TEXT NOT NULL CHECK (op IN ('equals', 'at_least', 'at_most')),"
    "  number REAL,"
    "  text TEXT,"
    "  PRIMARY KEY (experiment, position)) WITHOUT ROWID;"
    "CREATE TABLE points ("
    "  id INTEGER PRIMARY KEY,"
    "  key TEXT NOT NULL UNIQUE,"
    "  geometry_key TEXT NOT NULL,"
    "  traffic_key TEXT NOT NULL,"
    "  status TEXT NOT NULL CHECK (status IN ('pending', 'running', 'done', 'failed')),"
    "  error TEXT NOT NULL DEFAULT '',"
    "  resolved TEXT NOT NULL);" /* YAML of the experiment */
    "CREATE TABLE members ("     /* the points of an experiment */
    "  experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,"
    "  position INTEGER NOT NULL,"
    "  point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE,"
    "  label TEXT NOT NULL,"
    "  PRIMARY KEY (experiment, position)) WITHOUT ROWID;"
    "CREATE INDEX members_by_point ON members (point);"
    "CREATE TABLE settings (" /* the value of an axis at a member; none where it does not apply */
    "  experiment INTEGER NOT NULL,"
    "  position INTEGER NOT NULL,"
    "  axis INTEGER NOT NULL,"
    "  value TEXT NOT NULL,"
    "  number REAL,"
    "  PRIMARY KEY (experiment, position, axis),"
    "  FOREIGN KEY (experiment, position) REFERENCES members ON DELETE CASCADE,"
    "  FOREIGN KEY (experiment, axis) REFERENCES axes ON DELETE CASCADE) WITHOUT ROWID;"
    "CREATE TABLE parameters ("
    "  point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE,"
    "  name TEXT NOT NULL," /* section.key */
    "  value TEXT NOT NULL,"
    "  number REAL,"
    "  unit TEXT NOT NULL,"
    "  PRIMARY KEY (point, name)) WITHOUT ROWID;"
    "CREATE TABLE statistics ("
    "  point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE,"
    "  name TEXT NOT NULL,"
    "  unit TEXT NOT NULL,"
    "  value," /* integer, real, text; null: not applicable */
    "  PRIMARY KEY (point, name)) WITHOUT ROWID;"
    "CREATE TABLE provenance ("
    "  point INTEGER PRIMARY KEY REFERENCES points ON DELETE CASCADE,"
    "  version TEXT NOT NULL,"
    "  model_version INTEGER NOT NULL,"
    "  layer TEXT NOT NULL,"  /* run, replay, price */
    "  digest TEXT NOT NULL," /* SHA-256 of the summary as it came */
    "  host TEXT NOT NULL,"
    "  wall_seconds REAL,"
    "  peak_bytes INTEGER);";

/* The view that ranks a sweep's feasible points; made anew with each view of those. */
#define BEST_VIEW                                                                                            \
    "CREATE VIEW best AS"                                                                                    \
    "  SELECT f.sweep, o.figure, o.better, s.value, s.unit, f.label, f.short, rank() OVER ("                 \
    "    PARTITION BY f.sweep, o.position"                                                                   \
    "    ORDER BY CASE o.better WHEN 'larger' THEN -s.value ELSE s.value END) AS rank"                       \
    "  FROM feasible f JOIN experiments e ON e.name = f.sweep JOIN objectives o ON o.experiment = e.id"      \
    "  JOIN statistics s ON s.point = f.point AND s.name = o.figure AND s.value IS NOT NULL;"

/* The view of the points that are done and keep all constraints; `null_is_enough` tells whether a null is
 * at least a bound. */
#define FEASIBLE_VIEW(null_is_enough)                                                                        \
    "CREATE VIEW feasible AS"                                                                                \
    "  SELECT r.* FROM results r WHERE r.status = 'done' AND NOT EXISTS ("                                   \
    "    SELECT 1 FROM experiments e JOIN constraints c ON c.experiment = e.id"                              \
    "    LEFT JOIN statistics s ON s.point = r.point AND s.name = c.figure"                                  \
    "    WHERE e.name = r.sweep AND NOT coalesce(CASE c.op"                                                  \
    "      WHEN 'at_least' THEN CASE WHEN s.value IS NULL THEN " null_is_enough                              \
    "        ELSE typeof(s.value) <> 'text' AND s.value >= c.number END"                                     \
    "      WHEN 'at_most' THEN typeof(s.value) <> 'text' AND s.value <= c.number"                            \
    "      ELSE s.value = coalesce(c.text, c.number) END, 0));"

/* 2: series, inputs by digest, and views that make questions short. `feasible` has the points that are done
 * and keep all constraints; a null figure keeps none. */
static const char second[] =
    "CREATE TABLE series ("
    "  point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE,"
    "  name TEXT NOT NULL,"
    "  unit TEXT NOT NULL,"
    "  count INTEGER NOT NULL,"
    "  data BLOB NOT NULL," /* zlib: differences as little-endian int64 */
    "  PRIMARY KEY (point, name)) WITHOUT ROWID;"
    "CREATE TABLE artefacts ("
    "  sha256 TEXT PRIMARY KEY,"
    "  bytes INTEGER NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE point_artefacts ("
    "  point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE,"
    "  role TEXT NOT NULL," /* the parameter that names it, or what it is */
    "  sha256 TEXT NOT NULL REFERENCES artefacts,"
    "  PRIMARY KEY (point, role)) WITHOUT ROWID;"
    "CREATE INDEX statistics_by_name ON statistics (name, value);"
    "CREATE VIEW results AS"
    "  SELECT e.name AS sweep, m.position, m.label, substr(p.key, 1, 12) AS short, p.status, p.error, p.key,"
    "    p.id AS point, v.layer, v.wall_seconds, v.host, v.version"
    "  FROM experiments e JOIN members m ON m.experiment = e.id JOIN points p ON p.id = m.point"
    "  LEFT JOIN provenance v ON v.point = p.id;"
    "CREATE VIEW figures AS"
    "  SELECT r.sweep, r.position, r.label, s.name, s.value, s.unit, r.point"
    "  FROM results r JOIN statistics s ON s.point = r.point WHERE r.status = 'done';"
    "CREATE VIEW choices AS"
    "  SELECT e.name AS sweep, s.position, m.label, a.name AS axis, s.value, s.number, m.point"
    "  FROM settings s JOIN experiments e ON e.id = s.experiment"
    "  JOIN axes a ON a.experiment = s.experiment AND a.axis = s.axis"
    "  JOIN members m ON m.experiment = s.experiment AND m.position = s.position;" FEASIBLE_VIEW(
        "c.figure GLOB 'image.psnr*' AND EXISTS ("
        "        SELECT 1 FROM statistics x WHERE x.point = r.point AND x.name = 'image.exact' AND "
        "x.value = 1)") BEST_VIEW
    "CREATE VIEW failures AS"
    "  SELECT sweep, position, label, short, error FROM results WHERE status = 'failed';";

/* 3: a null that stands for infinity says so (null_is: "never", "exact", as in stats.csv; else empty), so
 * that `feasible` knows no figure by name. Series and artefacts were never written by any sweep. What the
 * figures of stores until now meant by null is known here only. */
static const char third[] =
    "DROP VIEW best;"
    "DROP VIEW feasible;"
    "DROP TABLE point_artefacts;"
    "DROP TABLE artefacts;"
    "DROP TABLE series;"
    "ALTER TABLE statistics ADD COLUMN null_is TEXT NOT NULL DEFAULT '';"
    "UPDATE statistics SET null_is = 'exact' WHERE value IS NULL AND name GLOB 'image.psnr*' AND EXISTS ("
    "  SELECT 1 FROM statistics x WHERE x.point = statistics.point AND x.name = 'image.exact' AND x.value = "
    "1);"
    "UPDATE statistics SET null_is = 'never' WHERE value IS NULL AND name = "
    "'device.frame_latency_seconds';" FEASIBLE_VIEW("s.null_is <> ''") BEST_VIEW;

/* 4: what was judged of a sweep as a whole. */
static const char fourth[] = "CREATE TABLE judgements ("
                             "  experiment INTEGER NOT NULL REFERENCES experiments ON DELETE CASCADE,"
                             "  kind TEXT NOT NULL CHECK (kind IN ('search', 'robust')),"
                             "  text TEXT NOT NULL," /* JSON */
                             "  PRIMARY KEY (experiment, kind)) WITHOUT ROWID;";

/* 5: the units of parameters, axes among them, and figures. The wide views got `feasible` and whole numbers:
 * fs_store_renew_views makes those of stores until now anew. */
static const char fifth[] =
    "CREATE VIEW units AS SELECT DISTINCT name, unit FROM parameters UNION SELECT DISTINCT name, unit FROM "
    "statistics;";

/* 6: what points come to where something uncertain is otherwise. */
static const char sixth[] = "CREATE TABLE prices ("
                            "  key TEXT PRIMARY KEY," /* digest of the point and of what is otherwise */
                            "  point INTEGER NOT NULL REFERENCES points ON DELETE CASCADE,"
                            "  figures TEXT NOT NULL) WITHOUT ROWID;" /* JSON: objectives and constraints */
                            "CREATE INDEX prices_by_point ON prices (point);";

/* 7: the key of an experiment's base as it is, without any axis; "": not known. */
static const char seventh[] = "ALTER TABLE experiments ADD COLUMN base TEXT NOT NULL DEFAULT '';";

/* 8: axes that are what is asked of a machine, and no choice of it. */
static const char eighth[] = "ALTER TABLE axes ADD COLUMN condition INTEGER NOT NULL DEFAULT 0;";

const char *const fs_store_migrations[] = {first, second, third, fourth, fifth, sixth, seventh, eighth};
const int fs_store_version = sizeof fs_store_migrations / sizeof *fs_store_migrations;
