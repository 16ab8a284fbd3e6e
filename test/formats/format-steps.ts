/** The formats of one released or earlier state of Outlive, of which there are fixtures. */
export interface FormatStep {
  /** The folder of the fixtures, in `fixtures`. */
  readonly name: string;
  /** The commit whose code made them. */
  readonly commit: string;
  /** The schema of the database file. */
  readonly database: number;
  /** The schemas of the segments in its log. */
  readonly segments: readonly number[];
  /** How its lists are stored: JSON text, or the codec of compressed summaries. */
  readonly summaries: "json" | 1 | 2;
  /** Whether this code can archive, and an archive is a fixture. @default false */
  readonly archive?: true;
  /** Whether the tables of a stage are a fixture. @default false */
  readonly stage?: true;
}

/** The cluster of the recording that has a field of every segment schema. */
export const EVERY_FORMAT = "every-format";
/** A Job that the code of a step erases, if it can: its segment then has schema 5. */
export const ERASED_JOB = "secret-of-a-customer";

/**
 * Every schema of the database and of segments, in order. No commit before 0.1.0 was published. Their fixtures test the
 * promise that stored states and segments stay readable for ever (docs/deploy/support.md).
 */
export const FORMAT_STEPS: readonly FormatStep[] = [
  { name: "01-first", commit: "0d04097f", database: 1, segments: [1], summaries: "json" },
  { name: "02-packed-summaries", commit: "641f0820", database: 2, segments: [1], summaries: 1 },
  { name: "03-measures", commit: "1393c753", database: 3, segments: [2], summaries: 1 },
  { name: "04-metrics", commit: "b47ca7bd", database: 4, segments: [2], summaries: 1 },
  { name: "05-before-packs", commit: "d087d909", database: 5, segments: [2], summaries: 1, stage: true },
  { name: "06-queues", commit: "ee731b48", database: 5, segments: [2, 3], summaries: 1 },
  { name: "07-erasure", commit: "1e588690", database: 5, segments: [2, 5], summaries: 1 },
  { name: "08-checksums", commit: "73f005e8", database: 6, segments: [2, 4], summaries: 1 },
  {
    name: "09-one-outbox",
    commit: "b6e48259",
    database: 7,
    segments: [2, 4],
    summaries: 1,
    archive: true,
    stage: true,
  },
  { name: "10-lineage", commit: "422889d1", database: 8, segments: [2, 6], summaries: 2, archive: true },
  { name: "11-runs", commit: "00e726dc", database: 9, segments: [2, 7], summaries: 2 },
  { name: "12-usage", commit: "b6a96224", database: 9, segments: [8], summaries: 2 },
  { name: "13-marks", commit: "2f9879df", database: 9, segments: [8, 9], summaries: 2 },
  { name: "0.1.0", commit: "85c0e024", database: 9, segments: [10], summaries: 2, archive: true, stage: true },
  { name: "next", commit: "665ed128", database: 9, segments: [11], summaries: 2, archive: true, stage: true },
];
