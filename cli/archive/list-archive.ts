import { listChain, readLink } from "../../src/archive/layout/chain.ts";
import { manifestKey } from "../../src/archive/layout/archive-keys.ts";
import { type ManifestCounts, rowsIn } from "../../src/archive/layout/manifest.ts";
import type { PrintOptions } from "../options/query-options.ts";
import { isForPeople, printAnswer, remark } from "../output/print-answer.ts";
import type { Column } from "../output/table.ts";
import { type ArchiveLocation, openExistingArchive } from "./open-archive.ts";

interface ListedLink {
  readonly hour: string;
  readonly kind: "hour" | "day";
  readonly objects: number;
  readonly bytes: number;
  readonly counts: ManifestCounts & { readonly runs: number };
  readonly manifest: string;
  readonly sha256: string;
}

const COLUMNS: readonly Column<ListedLink>[] = [
  { header: "HOUR", cell: ({ hour }) => hour },
  { header: "KIND", cell: ({ kind }) => kind },
  { header: "SEGMENTS", cell: ({ counts }) => counts.segments },
  { header: "FACTS", cell: ({ counts }) => counts.facts },
  { header: "JOBS", cell: ({ counts }) => counts.jobs },
  { header: "RUNS", cell: ({ counts }) => counts.runs },
  { header: "ATTEMPTS", cell: ({ counts }) => counts.attempts },
  { header: "OBJECTS", cell: ({ objects }) => objects },
  { header: "BYTES", cell: ({ bytes }) => bytes },
  { header: "SHA256", cell: ({ sha256 }) => sha256, wide: true },
];

/** Lists the hours of an archive, and the compactions of its days. */
export async function listArchive(location: ArchiveLocation, options: PrintOptions): Promise<void> {
  const store = await openExistingArchive(location);
  const items: ListedLink[] = [];
  for (const link of await listChain(store)) {
    const { sha256, manifest } = await readLink(store, link);
    const { hour, kind, objects } = manifest;
    const counts = { ...manifest.counts, runs: rowsIn(objects, "runs") };
    const bytes = objects.reduce((sum, object) => sum + object.bytes, 0);
    items.push({ hour, kind, objects: objects.length, bytes, counts, manifest: manifestKey(link), sha256 });
  }
  if (items.length === 0 && isForPeople(options)) return remark(`Archive ${store.name} has no hours.`);
  await printAnswer(options, {
    document: { items },
    rows: items,
    columns: COLUMNS,
    name: ({ manifest }) => manifest,
  });
}
