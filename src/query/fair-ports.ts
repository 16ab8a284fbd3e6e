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
    read: inTurn(turn, jobs.read.bind(jobs)),
    write: jobs.write.bind(jobs),
    list: inTurn(turn, jobs.list.bind(jobs)),
    listLive: inTurn(turn, jobs.listLive.bind(jobs)),
    listByName: inTurn(turn, jobs.listByName.bind(jobs)),
    sampleNames: inTurn(turn, jobs.sampleNames.bind(jobs)),
    ...(namespacesWithName && { namespacesWithName: inTurn(turn, namespacesWithName) }),
    listAttention: inTurn(turn, jobs.listAttention.bind(jobs)),
    ...(jobs.mostSorted !== undefined && { mostSorted: jobs.mostSorted }),
    ...(jobs.wide && { wide: fairWide(jobs.wide, turn) }),
    ...(count && { count: inTurn(turn, count) }),
    writePage: jobs.writePage.bind(jobs),
    readPage: inTurn(turn, jobs.readPage.bind(jobs)),
  };
}

export function fairRuns(runs: RunStore, turn: Turn): RunStore {
  return {
    read: inTurn(turn, runs.read.bind(runs)),
    write: runs.write.bind(runs),
    list: inTurn(turn, runs.list.bind(runs)),
    listByName: inTurn(turn, runs.listByName.bind(runs)),
    listAttention: inTurn(turn, runs.listAttention.bind(runs)),
    listByExternalId: inTurn(turn, runs.listByExternalId.bind(runs)),
    ...(runs.wide && { wide: fairWide(runs.wide, turn) }),
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
