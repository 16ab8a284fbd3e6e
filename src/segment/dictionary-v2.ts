import { DICTIONARY_V1 } from "./dictionary-v1.ts";

/** The labels that tools and platform teams write, with no value of a user. */
export const USUAL_LABELS = [
  `"labels":{"app":"","app.kubernetes.io/component":"worker","app.kubernetes.io/created-by":"",`,
  `"app.kubernetes.io/instance":"","app.kubernetes.io/managed-by":"Helm","app.kubernetes.io/name":"",`,
  `"app.kubernetes.io/part-of":"","app.kubernetes.io/version":"1.","argocd.argoproj.io/instance":"","chart":"",`,
  `"commit":"","component":"","cost-center":"","environment":"production","git-commit":"","helm.sh/chart":"",`,
  `"heritage":"Helm","k8s-app":"","kueue.x-k8s.io/queue-name":"","name":"","owner":"","project":"","release":"",`,
  `"tier":"","team":"","version":"v1"}`,
].join("");

const REACHED = [
  `{"lastTransitionAt":null,"message":"Reached expected number of succeeded pods",`,
  `"reason":"CompletionsReached","status":"True","type":`,
].join("");

function reported(status: string): string {
  const mutable = `"mutable":{"completions":1,"parallelism":1,"suspend":false}`;
  return `{"generation":1,"kind":"JobReported",${mutable},"status":${status}}`;
}

function podCondition(type: string, status: "True" | "False"): string {
  return `{"lastTransitionAt":null,"status":"${status}","type":"${type}"}`;
}

/** How the facts of a Job begin. */
function created(more: string): string {
  return [
    `,[[{"createdAt":null,"kind":"JobCreated",${USUAL_LABELS},"name":null,"namespace":null,`,
    `"owner":{"kind":"CronJob","name":null,"uid":null}${more}},`,
    `${reported(`{"conditions":[]}`)},`,
    `{"generation":1,"kind":"JobSpecified","spec":{"backoffLimit":6,"completionMode":"NonIndexed","completions":1,`,
    `"parallelism":1,"podReplacementPolicy":"TerminatingOrFailed","restartPolicy":"Never","suspend":false}},`,
    `{"kind":"JobTracked"},`,
  ].join("");
}

const POD_SCHEDULED = [
  `,{"containers":["main"],"createdAt":null,"kind":"PodCreated","name":null,"namespace":null},{"kind":"PodTracked"},`,
  `{"kind":"PodScheduled","node":null,"scheduledAt":null},`,
].join("");

const RUNNING = [
  created(`,"scheduledAt":null`),
  reported(
    `{"active":1,"conditions":[],"ready":1,"startTime":null,"terminating":0,"uncounted":{"failed":[],"succeeded":[]}}`,
  ),
  POD_SCHEDULED,
  `{"kind":"PodObserved","phase":"Running","ready":true,"restarts":0},{"kind":"PodStarted","startedAt":null}],`,
  `"#&'()&*&+$&,-&.&/0",[0,0,"`,
].join("");

const DELETED = [
  `{"kind":"JobFinished"},{"finalizers":["foregroundDeletion"],"kind":"JobDeletionRequested","requestedAt":null},`,
  `{"kind":"JobDeleted"},{"generation":1,"kind":"PodUntracked"},{"graceSeconds":0,"kind":"PodDeletionRequested",`,
  `"phase":"Succeeded","requestedAt":null,"tracked":false},{"kind":"PodDeleted","tracked":false}],`,
  `"#&'()&*&+&,&-.$&/0&1&2&3&4&5&6&7&8",[0,0,"`,
].join("");

const COMPLETE = [
  created(""),
  `{"condition":${REACHED}"Complete"},"kind":"JobFinished"},`,
  reported(
    [
      `{"completionTime":null,"conditions":[${REACHED}"SuccessCriteriaMet"},${REACHED}"Complete"}],"ready":0,`,
      `"startTime":null,"succeeded":1,"terminating":0,"uncounted":{"failed":[],"succeeded":[]}}`,
    ].join(""),
  ),
  POD_SCHEDULED,
  `{"kind":"PodStarted","startedAt":null},`,
  `{"container":"main","exitCode":0,"finishedAt":null,"kind":"ContainerEnded","reason":"Completed",`,
  `"restartCount":0,"startedAt":null},{"kind":"PodObserved","phase":"Running","ready":false,"restarts":0,`,
  `"running":[],"unreadySince":null},{"conditions":[${podCondition("PodReadyToStartContainers", "False")},`,
  `${podCondition("Initialized", "True")},${podCondition("Ready", "False")},`,
  `${podCondition("ContainersReady", "False")},${podCondition("PodScheduled", "True")}],`,
  `"kind":"PodTerminated","phase":"Succeeded","tracked":true},{"kind":"PodUntracked"}],`,
  `"#&'()&*&+,$&-.&/&0&1&2&3&4",[0,0,"`,
].join("");

/** How the columns of a Job with one Pod end. */
const COLUMNS = [
  `","%#########","%7C'%'",[1795251609,0,9,-9,0,1,6,0,1,0],0,`,
  `" -29000001 -","#%"," ",0,"#",0,-1,0,0,0," ",0]]]`,
].join("");

/**
 * The deflate dictionary of codec 3: that of codec 2, then whole texts of the facts of a Job with one Pod, which is
 * nearly all of what is stored. Like the first one, it has no data of users, and must never change.
 */
export const DICTIONARY_V2 = [DICTIONARY_V1, DELETED, RUNNING, COMPLETE, COLUMNS].join("");
