import type { JobAnswer } from "../../src/explain/answer-document.ts";
import type { Generation } from "../../src/query/job/find-job.ts";

/** The API's answer about one Job. */
export type JobWithGenerations = JobAnswer & { readonly generations?: readonly Generation[] };
