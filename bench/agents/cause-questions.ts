import { aboutJob, fact, get, getOfFirst, type Question } from "./question.ts";

/** About recordings of test/recordings: real control planes, schedulers and kubelets, without messages. */
export const CAUSE_QUESTIONS: readonly Question[] = [
  {
    id: "drain",
    asked: "A Pod of drained exited with code 143. Did the program fail?",
    cluster: "refused-and-killed",
    namespace: "evicted",
    ...aboutJob("drained"),
    facts: [
      fact(
        "No: it was evicted through the eviction API, as by a drain.",
        /evicted through the eviction API from node-a, as a drain does/,
      ),
      fact("The platform is responsible.", /"responsible":"platform"/),
      fact("It counted against the back-off limit.", /counted against backoffLimit/),
    ],
    truth: "The Pod's condition DisruptionTarget in the recording has the reason EvictionByEvictionAPI",
    recorded: [/EvictionByEvictionAPI/, /"name":"drained-zvcfm"/],
  },
  {
    id: "startup-probe",
    asked: "slow-start exits with code 143 each time. What stops it?",
    cluster: "refused-and-killed",
    namespace: "probes",
    ...aboutJob("slow-start"),
    facts: [
      fact(
        "Its startup probe failed, in both attempts.",
        /startup probe failed, so container work was killed in 2 of 2 attempts/,
      ),
      fact("Then the back-off limit of 1 was reached.", /backoffLimit \(1\) reached/),
    ],
    truth: "Events of the Pods in the recording are about the startup probe",
    recorded: [/"details":\{"about":"probe","probe":"startup"\}/],
  },
  {
    id: "quota",
    asked: "Job over-quota is active and has no Pod. Why?",
    cluster: "refused-and-killed",
    namespace: "quota",
    calls: aboutJob("over-quota", "why_not_running").calls,
    requests: [get("/v1/jobs?name=over-quota"), getOfFirst("jobs", "/why")],
    facts: [
      fact("The ResourceQuota refuses its Pod.", /quota exceeded/),
      fact("It requests 500m CPU, and the quota is 100m.", /requested 500m, used 0, limit 100m/),
    ],
    truth: "Events of the Job in the recording have the refusal by the quota with these numbers",
    recorded: [/"by":"quota","resources":\[\{"resource":"requests.cpu","requested":"500m","used":"0","limit":"100m"/],
  },
  {
    id: "pod-security",
    asked: "not-restricted creates no Pods in namespace secure. What has to change?",
    cluster: "refused-and-killed",
    namespace: "secure",
    ...aboutJob("not-restricted", "why_not_running"),
    facts: [
      fact("Pod Security refuses the Pod: the level is restricted.", /Pod Security level restricted does not allow it/),
      fact("Its security context has to change.", /Set the security context/),
    ],
    truth: "Events of the Job in the recording have the refusal by Pod Security, level restricted",
    recorded: [/"by":"podSecurity","name":"restricted"/],
  },
  {
    id: "no-gpu",
    asked: "Job gpu in namespace sched failed with DeadlineExceeded. Should it get a longer deadline?",
    cluster: "more-causes",
    namespace: "sched",
    calls: aboutJob("sched/job/gpu").calls,
    requests: [get("/v1/jobs?name=gpu&namespace=sched"), getOfFirst("jobs", "/why")],
    facts: [
      fact(
        "No: its Pod was never scheduled, because no node has a free GPU.",
        /Insufficient nvidia.com\/gpu on 2 of 2 nodes/,
      ),
      fact("It needs a change of the configuration or of the nodes.", /"retry":"after-a-fix"/),
    ],
    truth: "The condition PodScheduled of its Pod in the recording names the resource and both nodes",
    recorded: [/"cause":"insufficient","nodes":2,"resource":"nvidia.com\/gpu"/],
  },
  {
    id: "volume-claim",
    asked: "absent-claim never started. What is missing?",
    cluster: "more-causes",
    namespace: "sched",
    ...aboutJob("absent-claim"),
    facts: [
      fact("The PersistentVolumeClaim does not exist.", /PersistentVolumeClaim does not exist/),
      fact("Create it, or name another one.", /Create the PersistentVolumeClaim/),
    ],
    truth: "The condition PodScheduled of its Pod in the recording has the missing volume",
    recorded: [/"cause":"volumeMissing"/, /"name":"absent-claim"/],
  },
  {
    id: "disk-pressure",
    asked: "evicted-disk failed at once. Is its program broken?",
    cluster: "refused-and-limited",
    namespace: "disk",
    ...aboutJob("evicted-disk"),
    facts: [
      fact(
        "No: the kubelet evicted it, because node-a was low on ephemeral storage.",
        /evicted by the kubelet on node-a: the node was low on ephemeral-storage/,
      ),
      fact("The platform is responsible, and the same run may succeed.", /"responsible":"platform","retry":"same"/),
    ],
    truth: "The status of its Pod in the recording has the reason Evicted, and the resource",
    recorded: [/"about":"eviction","resource":"ephemeral-storage"\}/, /"name":"evicted-disk"/],
  },
  {
    id: "lost-node",
    asked:
      "Both Pods of direct-ghost failed without an exit code. What happened, and is the same node worth another try?",
    cluster: "refused-and-limited",
    namespace: "node-name",
    ...aboutJob("direct-ghost"),
    facts: [
      fact("Their node node-zz is missing or lost.", /node node-zz is missing or lost.{0,60}2 of 2 attempts/),
      fact("Another node is needed.", /"retry":"other-node"/),
      fact("Pod garbage collection deleted them for that.", /deleted by pod-garbage-collector: its node was deleted/),
    ],
    truth: "The Pods in the recording are bound to node-zz, which has no Node object",
    recorded: [/"nodeName":"node-zz"/, /DeletionByPodGC/],
  },
];
