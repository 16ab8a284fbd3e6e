import type { Turn } from "../ports/concurrency/fair-turns.ts";
import type { JobStore, RunStore } from "../ports/jobs.ts";
import type { Log } from "../ports/log.ts";
import type { MetaStore } from "../ports/meta.ts";
import type { WideLists } from "../ports/wide-lists.ts";
import type { QueryPorts } from "./ports.ts";

/** The same stores; before each read the caller waits for its turn. Long reads then leave room for other requests. */
export function fairPorts<Ports extends QueryPorts>(ports: Ports, turn: Turn): Ports {
  const { jobs, meta, log } = ports;
  const fair = { jobs: fairJobs(jobs, turn), meta: fairMeta(meta, turn), log: fairLog(log, turn), turn };
  return { ...ports, ...fair };
}

function fairJobs(jobs: JobStore, turn: Turn): JobStore {
  const count = jobs.count?.bind(jobs);
  const namespacesWithName = jobs.namespacesWithName?.bind(jobs);
  return {
    ...fairRows(jobs, turn),
    listLive: inTurn(turn, jobs.listLive.bind(jobs)),
    sampleNames: inTurn(turn, jobs.sampleNames.bind(jobs)),
    ...(namespacesWithName && { namespacesWithName: inTurn(turn, namespacesWithName) }),
    ...(jobs.mostSorted !== undefined && { mostSorted: jobs.mostSorted }),
    ...(count && { count: inTurn(turn, count) }),
    writePage: jobs.writePage.bind(jobs),
    readPage: inTurn(turn, jobs.readPage.bind(jobs)),
  };
}

export function fairRuns(runs: RunStore, turn: Turn): RunStore {
  return { ...fairRows(runs, turn), listByExternalId: inTurn(turn, runs.listByExternalId.bind(runs)) };
}

/** What stores of Jobs and of runs have in common. */
function fairRows(rows: Omit<RunStore, "listByExternalId">, turn: Turn): Omit<RunStore, "listByExternalId"> {
  return {
    read: inTurn(turn, rows.read.bind(rows)),
    write: rows.write.bind(rows),
    list: inTurn(turn, rows.list.bind(rows)),
    listByName: inTurn(turn, rows.listByName.bind(rows)),
    listAttention: inTurn(turn, rows.listAttention.bind(rows)),
    ...(rows.wide && { wide: fairWide(rows.wide, turn) }),
  };
}

function fairWide(wide: WideLists, turn: Turn): WideLists {
  return {
    partitions: wide.partitions.bind(wide),
    list: inTurn(turn, wide.list.bind(wide)),
    readCoverage: inTurn(turn, wide.readCoverage.bind(wide)),
    writeCoverage: wide.writeCoverage.bind(wide),
  };
}

export function fairMeta(meta: MetaStore, turn: Turn): MetaStore {
  return {
    read: inTurn(turn, meta.read.bind(meta)),
    write: meta.write.bind(meta),
    list: inTurn(turn, meta.list.bind(meta)),
  };
}

function fairLog(log: Log, turn: Turn): Log {
  return {
    append: log.append.bind(log),
    read: inTurn(turn, log.read.bind(log)),
    readDay: inTurn(turn, log.readDay.bind(log)),
    ...(log.packs && {
      packs: { append: log.packs.append.bind(log.packs), readHour: inTurn(turn, log.packs.readHour.bind(log.packs)) },
    }),
  };
}

function inTurn<Arguments extends readonly unknown[], Result>(
  turn: Turn,
  read: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  return async (...given) => {
    const wait = turn();
    if (wait !== undefined) await wait;
    return read(...given);
  };
}
