import type { JobAnswer } from "../../src/job/answer.ts";
import type { Generation } from "../../src/query/find-job.ts";

/** The API's answer about one Job. */
export type OneJob = JobAnswer & { readonly generations?: readonly Generation[] };
