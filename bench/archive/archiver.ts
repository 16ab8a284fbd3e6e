import { spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import * as v from "valibot";

const linkSchema = v.object({
  kind: v.picklist(["hour", "day"]),
  counts: v.object({ segments: v.number(), facts: v.number(), jobs: v.number(), attempts: v.number() }),
  bytes: v.array(v.tuple([v.string(), v.number()])),
  seconds: v.number(),
  maxRssMb: v.number(),
});
/** What one manifest has, the CPU time since the one before it, and the largest resident set so far. */
export type Link = v.InferOutput<typeof linkSchema>;

/** A process that archives the hours of a database. */
export interface Archiver {
  /** Archives the hours that end by then, after those of earlier calls. */
  readonly archiveUntil: (end: number) => void;
  /** Waits until this many hours are archived. */
  readonly hours: (count: number) => Promise<void>;
  /** Waits for the last hour. */
  readonly end: () => Promise<readonly Link[]>;
}

export function startArchiver(database: string, folder: string): Archiver {
  const child = spawn(process.execPath, [join(import.meta.dirname, "export-run.ts"), database, folder], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const links: Link[] = [];
  let changed = Promise.withResolvers<void>();
  const read = (async () => {
    for await (const line of createInterface({ input: child.stdout })) {
      const link = v.parse(linkSchema, JSON.parse(line));
      if (link.counts.facts > 0 || link.kind === "day") process.stderr.write(`${line.slice(0, 120)}\n`);
      links.push(link);
      changed.resolve();
      changed = Promise.withResolvers<void>();
    }
  })();
  return {
    archiveUntil: (end) => child.stdin.write(`${end}\n`),
    hours: async (count) => {
      while (links.filter(({ kind }) => kind === "hour").length < count) {
        await Promise.race([changed.promise, exited]);
        if (child.exitCode !== null) throw new Error("The export ended before the last hour was archived.");
      }
    },
    end: async () => {
      child.stdin.end();
      await read;
      if ((await exited) !== 0) throw new Error("The export failed. Its cause follows.");
      return links;
    },
  };
}
