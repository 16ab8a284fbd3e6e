import { type ClusterName, decodeClusterName, decodeJobUid, type JobUid } from "../../../src/job/model/ids.ts";

/** A valid cluster name. */
export function clusterNamed(text: string): ClusterName {
  return known(decodeClusterName(text), text);
}

export function jobUid(text: string): JobUid {
  return known(decodeJobUid(text), text);
}

function known<Id>(id: Id | undefined, text: string): Id {
  if (id === undefined) throw new Error(`${text} is not what the test takes it for.`);
  return id;
}
