import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readLivePointer } from "../../../src/projection/live-projection.ts";
import { EIGHT, endedJob } from "../../support/archive/archive-scene.ts";
import { clusterNamed } from "../../support/facts/names.ts";
import { answersOf, noticedIn, within } from "../../support/killed/noticed.ts";

const cluster = clusterNamed("east");
const BACKUP = /^Cannot replay: the log is damaged[^]*Restore a backup\.[^]*--despite "REASON"\.$/;
const despite = "there is no backup";

let folder: string;
let path: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "outlive-damaged-log-"));
  path = join(folder, "outlive.sqlite");
  await within(path, async (embedded) => {
    for (const name of ["a", "b"]) {
      await embedded.importFacts(once(endedJob({ namespace: "shop", name, createdAt: EIGHT })), {
        cluster,
        now: EIGHT,
      });
    }
  });
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* once<Value>(value: Value): AsyncGenerator<Value> {
  yield value;
}

/** Changes the file as another program does, so that the checksums of rows do not follow. */
function change(sql: string): void {
  const sqlite = new DatabaseSync(path);
  sqlite.exec(sql);
  sqlite.close();
}

function stored(): unknown {
  const sqlite = new DatabaseSync(path, { readOnly: true });
  const rows = ["log", "meta", "jobs_a", "jobs_b"].map((table) => sqlite.prepare(`SELECT * FROM ${table}`).all());
  sqlite.close();
  return rows;
}

const FIRST = "WHERE rowid = (SELECT min(rowid) FROM log)";
const DAMAGES: readonly (readonly [string, string, RegExp])[] = [
  ["a day that does not exist", `UPDATE log SET pk = 'east#2026112q' ${FIRST}`, /Row "east#2026112q .*checksum/],
  ["a cluster that cannot exist", `UPDATE log SET pk = 'e~st' ${FIRST}`, /Row "e~st .*checksum/],
  ["another time", `UPDATE log SET sk = '1' || substr(sk, 2) ${FIRST}`, /Row "east#\d+ 1.*checksum/],
  ["other bytes", `UPDATE log SET bytes = x'00' ${FIRST}`, /Row "east#\d+ .*checksum/],
  ["another count of facts", `UPDATE log SET fact_count = 99 ${FIRST}`, /Row "east#\d+ .*checksum/],
];

describe("a log with a damaged row", () => {
  it.each(DAMAGES)("of %s is not replayed, and nothing changes", async (_, sql, row) => {
    // A replay would begin with this record, which does not follow from what is left of the log.
    change("UPDATE meta SET value = '{}' WHERE kind = 'namespace'");
    change(sql);
    const [before, noticed] = [stored(), await noticedIn(path)];
    const replay = within(path, (embedded) => embedded.replay());
    await expect(replay).rejects.toThrow(BACKUP);
    await expect(replay).rejects.toThrow(row);
    expect(stored()).toEqual(before);
    expect(noticed).toContainEqual(expect.stringMatching(/^row log /));
  });

  it.each(DAMAGES)("of %s is replayed for a reason, which is recorded", async (_, sql) => {
    change(sql);
    await within(path, async (embedded) => {
      expect(await embedded.replay({ despite })).toMatchObject({ outcome: "switched", live: "B" });
      expect(await readLivePointer(embedded.meta)).toMatchObject({ live: "B", endedDespite: despite });
    });
    expect(await answersOf(path)).toContain('"name":"b"');
  });

  it("is not replayed beside the projection that answers either", async () => {
    change(`UPDATE log SET bytes = x'00' ${FIRST}`);
    await expect(within(path, (embedded) => embedded.replay({ isTrial: true }))).rejects.toThrow(BACKUP);
  });
});

describe("a log", () => {
  it("with a segment that cannot be read is not replayed, and names it", async () => {
    await within(path, async (embedded) => {
      const key = { pk: "east#20261101", sk: "later" };
      await embedded.log.append({ key, bytes: new Uint8Array([1, 2]), sha256: "", factCount: 1 });
      await expect(embedded.replay()).rejects.toThrow(/Row "east#20261101 later": /);
      expect(await readLivePointer(embedded.meta)).toMatchObject({ live: "A" });
      expect(await embedded.replay({ despite })).toMatchObject({ outcome: "switched" });
    });
  });

  it("whose index lacks a row is not replayed", async () => {
    change("PRAGMA wal_checkpoint(TRUNCATE)");
    const sqlite = new DatabaseSync(path, { defensive: false });
    sqlite.exec("PRAGMA writable_schema = ON");
    sqlite.exec("UPDATE sqlite_schema SET sql = replace(sql, 'PRIMARY KEY (pk, sk)', 'CHECK (1)') WHERE name = 'log'");
    const index = sqlite.prepare("SELECT * FROM sqlite_schema WHERE name = 'sqlite_autoindex_log_1'").get() ?? {};
    sqlite.exec("DELETE FROM sqlite_schema WHERE name = 'sqlite_autoindex_log_1'");
    sqlite.close();
    change(`DELETE FROM log ${FIRST}`);
    const restored = new DatabaseSync(path, { defensive: false });
    restored.exec("PRAGMA writable_schema = ON");
    restored.exec(
      "UPDATE sqlite_schema SET sql = replace(sql, 'CHECK (1)', 'PRIMARY KEY (pk, sk)') WHERE name = 'log'",
    );
    restored
      .prepare("INSERT INTO sqlite_schema VALUES ('index', 'sqlite_autoindex_log_1', 'log', ?, NULL)")
      .run(Number(index["rootpage"]));
    restored.close();
    await expect(within(path, (embedded) => embedded.replay())).rejects.toThrow(/sqlite_autoindex_log_1/);
  });

  it("that is sound is replayed", async () => {
    expect(await within(path, (embedded) => embedded.replay())).toMatchObject({ outcome: "switched", live: "B" });
  });
});
