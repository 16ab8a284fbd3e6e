import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageDetails } from "../../../src/kubernetes/message/parse-message.ts";
import { isRecordedDetails } from "../../../src/kubernetes/message/recorded-details.ts";

const details = (reason: string, message: string, names = false) => messageDetails(reason, message, { names });

const DISK = "ephemeral-storage";
const OWN_DISK = { about: "eviction", resource: DISK, ownLimit: true };

describe("a message of the scheduler", () => {
  it.each([
    [
      "0/14 nodes are available: 12 Insufficient cpu, 2 node(s) had untolerated taint {dedicated: " +
        "gpu}. preemption: 0/14 nodes are available: 14 Preemption is not helpful for scheduling.",
      14,
      [
        { cause: "insufficient", resource: "cpu", nodes: 12 },
        { cause: "taint", nodes: 2 },
      ],
    ],
    [
      "0/2 nodes are available: 2 Insufficient cpu. no new claims to deallocate, " +
        "preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling.",
      2,
      [{ cause: "insufficient", resource: "cpu", nodes: 2 }],
    ],
    [
      "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, 1 node(s) were unschedulable.",
      2,
      [
        { cause: "insufficient", resource: "nvidia.com/gpu", nodes: 1 },
        { cause: "cordoned", nodes: 1 },
      ],
    ],
    [
      "0/3 nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: " +
        "}, that the pod didn't tolerate, 2 Insufficient memory.",
      3,
      [
        { cause: "insufficient", resource: "memory", nodes: 2 },
        { cause: "taint", nodes: 1 },
      ],
    ],
    [
      "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector.",
      2,
      [{ cause: "nodeSelector", nodes: 2 }],
    ],
    ["0/4 nodes are available: 4 Too many pods.", 4, [{ cause: "insufficient", resource: "pods", nodes: 4 }]],
    [
      "0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims. " +
        "preemption: 0/1 nodes are available: 1 No preemption victims found.",
      1,
      [{ cause: "volumeUnbound" }],
    ],
    ['0/1 nodes are available: persistentvolumeclaim "data" not found.', 1, [{ cause: "volumeMissing" }]],
    ["0/1 nodes are available: 1 node(s) had volume node affinity conflict.", 1, [{ cause: "volume", nodes: 1 }]],
    ["0/5 nodes are available: 5 node(s) password=hunter2.", 5, [{ cause: "other", nodes: 5 }]],
    ["0/5 nodes are available: 5 Insufficient password=hunter2.", 5, [{ cause: "insufficient", nodes: 5 }]],
  ])("%s", (message, nodes, causes) => {
    expect(details("FailedScheduling", message)).toEqual({ about: "scheduling", nodes, causes });
  });

  it("names scheduling gates as the obstacle", () => {
    expect(details("SchedulingGated", "Scheduling is blocked due to non-empty scheduling gates")).toEqual({
      about: "scheduling",
      causes: [{ cause: "gated" }],
    });
  });
});

describe("a refusal of the API server", () => {
  it.each([
    [
      'Error creating: pods "a-x" is forbidden: exceeded quota: team, requested: ' +
        "limits.cpu=2,pods=1, used: limits.cpu=1500m,pods=0, limited: limits.cpu=2,pods=10",
      {
        by: "quota",
        resources: [
          { resource: "limits.cpu", requested: "2", used: "1500m", limit: "2" },
          { resource: "pods", requested: "1", used: "0", limit: "10" },
        ],
      },
    ],
    ['Error creating: pods "a-x" is forbidden: failed quota: team: must specify cpu for: work', { by: "quota" }],
    [
      'Error creating: admission webhook "policy.example.com" denied the request: password=hunter2 is not allowed',
      { by: "webhook", name: "policy.example.com" },
    ],
    [
      "Error creating: Internal error occurred: failed calling webhook " +
        '"policy.example.com": failed to call webhook: Post "https://p?token=abc": EOF',
      { by: "webhook", name: "policy.example.com", unreachable: true },
    ],
    [
      'Error creating: pods "a-x" is forbidden: ValidatingAdmissionPolicy ' +
        "'no-latest' with binding 'b' denied request: failed expression",
      { by: "policy", name: "no-latest" },
    ],
    [
      'Error creating: pods "a-x" is forbidden: violates PodSecurity "restricted:latest": ' +
        'allowPrivilegeEscalation != false (container "work" must set ...)',
      { by: "podSecurity", name: "restricted" },
    ],
    [
      'Error creating: pods "a-x" is forbidden: [maximum cpu usage per Container is 1, ' +
        "but limit is 2, maximum memory usage per Container is 1Gi, but limit is 4Gi]",
      {
        by: "limitRange",
        resources: [
          { resource: "cpu", requested: "2", limit: "1" },
          { resource: "memory", requested: "4Gi", limit: "1Gi" },
        ],
      },
    ],
    [
      'Error creating: pods "a-" is forbidden: error looking up ' +
        'service account shop/hunter2: serviceaccount "hunter2" not found',
      { by: "serviceAccount" },
    ],
    ['Error creating: pods "a-" is forbidden: no PriorityClass with name hunter2 was found', { by: "priorityClass" }],
    ['Error creating: Pod "a-x" is invalid: spec.containers[0].image: Required value', { by: "invalid" }],
    [
      'Error creating: pods "a-" is forbidden: unable to create ' +
        "new content in namespace shop because it is being terminated",
      { by: "namespaceTerminating" },
    ],
  ])("%s", (message, expected) => {
    expect(details("FailedCreate", message)).toEqual({ about: "refusal", ...expected });
  });
});

const start = (problem: string) => ({ about: "start", problem });
const volume = (problem: string) => ({ about: "volume", problem });
/** Most of them were recorded on a real node of Kubernetes 1.36.3. */
const NEW_FORMS: readonly (readonly [string, string, object])[] = [
  [
    "CreateContainerError",
    'failed to create container: cannot load seccomp profile "/a/b.json": open /a/b.json: no such file or directory',
    start("profileMissing"),
  ],
  [
    "StartError",
    "runc create failed: unable to start container process: error setting cgroup config: " +
      "unable to set memory limit to 1048576 (current usage: 2519040)",
    start("limitTooLow"),
  ],
  ["StartError", "container init was OOM-killed (memory limit too low?): unknown", start("limitTooLow")],
  ["StartError", "error during container init: mkdir /bin/work: not a directory", start("workingDir")],
  ["StartError", 'exec: "/etc": permission denied', start("permissionDenied")],
  ["StartError", 'exec: "/opt/network-tool": executable file not found in $PATH', start("programNotFound")],
  ["StartError", "unable to find user hunter2: no matching entries in passwd file", start("userMissing")],
  ["StartError", "nvidia-container-cli: initialization error: driver not loaded", start("device")],
  ["CreateContainerConfigError", 'container\'s runAsUser breaks non-root policy (pod: "a")', start("runsAsRoot")],
  ["CreateContainerConfigError", "missing value for UNSET", start("variableMissing")],
  ["CreateContainerError", 'failed to reserve container name "work_a": name is reserved', start("nameInUse")],
  ["CreateContainerError", 'failed to stat "/absent": stat /absent: no such file or directory', start("mountFailed")],
  ["RunContainerError", "write /run/x: no space left on device", start("diskFull")],
  [
    "FailedCreatePodSandBox",
    'unable to get OCI runtime: no runtime for "ghost" is configured',
    start("noRuntimeHandler"),
  ],
  ["FailedCreatePodSandBox", "runtime does not support user namespaces", start("unsupported")],
  ["FailedCreatePodSandBox", 'plugin type="aws-cni" failed (add): failed to assign an IP address', start("noAddress")],
  ["FailedCreatePodSandBox", 'failed to setup network for sandbox "1": plugin type="x" failed', start("network")],
  ["FailedCreatePodSandBox", 'failed to get sandbox image "pause:3": failed to pull image', start("sandboxImage")],
  ["FailedCreatePodSandBox", "code = DeadlineExceeded desc = context deadline exceeded", start("timeout")],
  ["NetworkNotReady", "network is not ready: cni plugin not initialized", start("network")],
  ["FailedPrepareDynamicResources", "dial unix /var/lib/kubelet/dra.sock: connect", start("runtimeUnavailable")],
  [
    "FailedMount",
    "mounter.SetUpAt failed: driver name a.example.com not found in the list of registered CSI drivers",
    volume("driverMissing"),
  ],
  ["FailedMount", "Output: mount: /x: unknown filesystem type 'nfs'.", volume("driverMissing")],
  ["FailedMount", "hostPath type check failed: /absent is not a directory", volume("pathMissing")],
  ["FailedMount", "mount.nfs: access denied by server while mounting", volume("accessDenied")],
  ["FailedMount", 'object "shop"/"kube-root-ca.crt" not registered', volume("notRegistered")],
  ["FailedMount", "rpc error: code = DeadlineExceeded desc = waiting", volume("timeout")],
  ["FailedAttachVolume", "AttachVolume.Attach failed for volume: volume limits exceeded", volume("attachFailed")],
  ["Evicted", "Pod was rejected: The node had condition: [DiskPressure]. ", { about: "eviction", resource: DISK }],
  ["Evicted", "Pod The node had condition: [PIDPressure]. ", { about: "eviction", resource: "pids" }],
  ["Evicted", 'Usage of EmptyDir volume "scratch" exceeds the limit "10Mi". ', OWN_DISK],
  ["Evicted", 'Container work exceeded its local ephemeral storage limit "10Mi". ', OWN_DISK],
  [
    "UnexpectedAdmissionError",
    "Pod was rejected: Allocate failed due to requested number of devices unavailable for nvidia.com/gpu. " +
      "Requested: 1, Available: 0, which is unexpected",
    { about: "eviction", resource: "nvidia.com/gpu" },
  ],
  ["ErrImagePull", "http: server gave HTTP response to HTTPS client", { about: "image", problem: "unreachable" }],
  ["ErrImagePull", "unexpected status: 503 Service Unavailable", { about: "image", problem: "unreachable" }],
  [
    "FailedCreate",
    'pods "a" is forbidden: cpu max limit to request ratio per Container is 1, but provided ratio is 10',
    { about: "refusal", by: "limitRange" },
  ],
  ["FailedCreate", 'namespaces "shop" not found', { about: "refusal", by: "namespaceTerminating" }],
  ["FailedCreate", "Timeout: request did not complete", { about: "refusal", by: "unavailable" }],
];

describe("a message about a Pod", () => {
  it.each([
    ["ImagePullBackOff", 'Back-off pulling image "shop/denied:1"', undefined],
    [
      "ErrImagePull",
      "rpc error: code = NotFound desc = failed to pull and unpack " +
        'image "r/x:1": failed to resolve image: r/x:1: not found',
      { about: "image", problem: "notFound" },
    ],
    [
      "ErrImagePull",
      'failed to pull image "r/x:1": authorization failed: basic dXNlcjpodW50ZXIy',
      { about: "image", problem: "unauthorized" },
    ],
    ["ErrImagePull", 'pull "r/x": dial tcp 10.0.0.1:443: i/o timeout', { about: "image", problem: "timeout" }],
    ["CreateContainerConfigError", 'configmap "absent" not found', { about: "missing", object: "ConfigMap" }],
    [
      "CreateContainerConfigError",
      "couldn't find key token in Secret shop/hunter2",
      { about: "missing", object: "Secret key" },
    ],
    [
      "StartError",
      "runc create failed: unable to start container process: exec: " +
        '"/bin/x --token=abc": stat /bin/x: no such file or directory',
      { about: "start", problem: "programNotFound" },
    ],
    [
      "FailedMount",
      'MountVolume.SetUp failed for volume "s" : secret "absent" not found',
      { about: "missing", object: "Secret" },
    ],
    ["FailedAttachVolume", 'Multi-Attach error for volume "pvc-1"', { about: "volume", problem: "inUse" }],
    [
      "Killing",
      "Container work failed liveness probe, will be restarted",
      { about: "probe", probe: "liveness", container: "work" },
    ],
    ["Killing", "Stopping container work", undefined],
    ["Unhealthy", "Startup probe failed: password=hunter2", { about: "probe", probe: "startup" }],
    ["FailedPostStartHook", "PostStartHook failed: --token=abc", { about: "probe", probe: "postStart" }],
    [
      "Evicted",
      "The node was low on resource: memory. Threshold quantity: 23Gi, available: 22Gi. Container work was using 1Gi",
      { about: "eviction", resource: "memory" },
    ],
    [
      "Evicted",
      "Pod ephemeral local storage usage exceeds the total limit of containers 1Mi.",
      { about: "eviction", resource: "ephemeral-storage", ownLimit: true },
    ],
    [
      "OutOfcpu",
      "Node didn't have enough resource: cpu, requested: 900, used: 300, capacity: 1000",
      { about: "eviction", resource: "cpu" },
    ],
    ["SomethingElse", "password=hunter2", undefined],
  ])("%s: %s", (reason, message, expected) => {
    expect(details(reason, message)).toEqual(expected);
  });

  it.each(NEW_FORMS)("%s: %s", (reason, message, expected) => {
    expect(details(reason, message)).toEqual(expected);
  });

  it("names the missing object only if the option includes names", () => {
    expect(details("FailedMount", 'secret "keys" not found')).toEqual({ about: "missing", object: "Secret" });
    expect(details("FailedMount", 'secret "keys" not found', true)).toEqual({
      about: "missing",
      object: "Secret",
      name: "keys",
    });
    expect(details("FailedMount", 'secret "password=hunter2" not found', true)).not.toHaveProperty("name");
  });
});

const REASONS = [
  "Unschedulable",
  "FailedScheduling",
  "FailedCreate",
  "ErrImagePull",
  "CreateContainerConfigError",
  "StartError",
  "Failed",
  "FailedMount",
  "FailedCreatePodSandBox",
  "UnexpectedAdmissionError",
  "Killing",
  "Unhealthy",
  "FailedPostStartHook",
  "Evicted",
  "OutOfcpu",
  "Preempted",
  "SuccessfulCreate",
  "Started",
];
const HOSTILE = [
  "password=hunter2",
  "--token=abc",
  "hunter2 SECRET",
  "<script>alert(1)</script>",
  "basic aHVudGVyMg==",
];
const SENTENCES = [
  "0/2 nodes are available: 2 Insufficient X, 1 X.",
  'admission webhook "X" denied the request: X',
  "exceeded quota: X, requested: X=X, used: X=X, limited: X=X",
  'configmap "X" not found',
  'Failed to pull image "X": X not found',
  "Container X failed liveness probe",
  "The node was low on resource: X. X",
  "Created pod: X",
  "Preempted by pod X on node X",
  "Admitted by clusterQueue X",
  "ValidatingAdmissionPolicy 'X' with binding 'X' denied request: X",
  "maximum X usage per Container is X, but limit is X",
  "X",
];

describe("hostile text", () => {
  it("is in no details, whatever sentence contains it", () => {
    for (const reason of REASONS) {
      for (const sentence of SENTENCES) {
        for (const secret of HOSTILE) {
          const text = JSON.stringify(details(reason, sentence.replaceAll("X", secret), true) ?? {});
          expect(text).not.toMatch(/hunter2|token|script|SECRET|aHVudGVyMg/);
        }
      }
    }
  });

  it("never fails the parsers, whose details can be recorded and read", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...REASONS),
        fc.array(fc.oneof(fc.constantFrom(...SENTENCES), fc.string({ unit: "binary", maxLength: 40 })), {
          maxLength: 4,
        }),
        (reason, parts) => {
          const known = details(reason, parts.join(" "), true);
          return known === undefined || isRecordedDetails(JSON.parse(JSON.stringify(known)));
        },
      ),
    );
  });

  it("is refused in the details of a recording", () => {
    expect(isRecordedDetails({ about: "missing", object: "Secret", name: "password=hunter2" })).toBe(false);
    expect(isRecordedDetails({ about: "missing", object: "Secret", name: "keys", more: "x" })).toBe(false);
    expect(isRecordedDetails({ about: "missing", object: "Secret", name: "keys" })).toBe(true);
    expect(isRecordedDetails("password=hunter2")).toBe(false);
  });

  it("takes time by its length: a message of a megabyte is cut before it is parsed", () => {
    const long = `0/2 nodes are available: ${"1 Insufficient cpu, ".repeat(50_000)}`;
    const known = details("FailedScheduling", long);
    expect(known?.about === "scheduling" && known.causes.length).toBeLessThanOrEqual(8);
  });
});
