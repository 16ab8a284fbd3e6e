import { describe, expect, it } from "vitest";
import { messageDetails } from "../../../src/kubernetes/message/parse-message.ts";

const details = (reason: string, message: string, names = false) => messageDetails(reason, message, { names });
const start = (problem: string) => ({ about: "start", problem });
const volume = (problem: string) => ({ about: "volume", problem });

/** Most of them were recorded on a real node of Kubernetes 1.36.3. */
describe("a message about a container that is not started", () => {
  it.each<[string, string, object | undefined]>([
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
    [
      "FailedCreatePodSandBox",
      'plugin type="aws-cni" failed (add): failed to assign an IP address',
      start("noAddress"),
    ],
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
    ["ErrImagePull", "http: server gave HTTP response to HTTPS client", { about: "image", problem: "unreachable" }],
    ["ErrImagePull", "unexpected status: 503 Service Unavailable", { about: "image", problem: "unreachable" }],
  ])("%s: %s", (reason, message, expected) => {
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
