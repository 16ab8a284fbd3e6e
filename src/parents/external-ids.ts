import { KINDS } from "./kinds.ts";

/** The ids of built-in kinds by which a run is found: the first of each kind. */
export const INDEXED_IDS: ReadonlySet<string> = new Set(KINDS.flatMap(({ ids = {} }) => Object.keys(ids).slice(0, 1)));

const SYSTEMS: ReadonlySet<string> = new Set(KINDS.flatMap(({ ids = {} }) => Object.keys(ids).map(systemOf)));
const ADDED_ID = /^[a-z][a-z0-9.-]{0,62}\/[A-Za-z0-9_.-]{1,63}$/;

/** Whether a kind that users add may have this id: `SYSTEM/NAME`, of no system that built-in kinds belong to. */
export function isAddedId(id: string): boolean {
  return ADDED_ID.test(id) && !SYSTEMS.has(systemOf(id));
}

/** The ids among these by which a run may be found: those of built-in kinds, then the first of an added kind. */
export function searchableIds(ids: Readonly<Record<string, string>>): readonly string[] {
  const builtIn = [...INDEXED_IDS].filter((id) => ids[id] !== undefined);
  return [...builtIn, ...Object.keys(ids).filter(isAddedId).slice(0, 1)];
}

function systemOf(id: string): string {
  return id.slice(0, id.indexOf("/"));
}
