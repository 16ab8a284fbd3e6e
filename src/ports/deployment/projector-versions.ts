import type { KeptProjectors } from "../records/live-record.ts";

/** Published versions of the two projectors that a stage keeps. */
export type ProjectorVersions = Pick<KeptProjectors, "project" | "refold">;

/** `PROJECT,REFOLD`: published versions of the two functions, numbered from 1 (Lambda, PublishVersion). */
const FORM = /^([1-9]\d{0,9}),([1-9]\d{0,9})$/;

/** The versions of a text such as `12,9`; `undefined` if it is something else. */
export function parseProjectorVersions(text: string): ProjectorVersions | undefined {
  const [, project, refold] = FORM.exec(text) ?? [];
  return project === undefined || refold === undefined ? undefined : { project, refold };
}

export function projectorVersionsText({ project, refold }: ProjectorVersions): string {
  return `${project},${refold}`;
}
