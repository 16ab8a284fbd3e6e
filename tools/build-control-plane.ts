import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";

/**
 * Builds the newest Kubernetes control plane of the tests (`npm run build:control-plane`), from Go modules, into the
 * folder `newest` of OUTLIVE_CLUSTER_HOME. The launcher in ../shared/tools/cluster supports two older releases. It
 * starts this one as its `current`, from that folder. Takes about 10 minutes of CPU and 5 GB of disk.
 */
const KUBERNETES = "v1.37.2";
const ETCD = "v3.6.16";
const LAUNCHER = join(import.meta.dirname, "../../shared/tools/cluster");

const { values } = parseArgs({ options: { tools: { type: "string", default: LAUNCHER } } });
// oxlint-disable-next-line node/no-process-env -- settings of the machine that runs the tests
const environment = process.env;
const cache = environment["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
const home = join(environment["OUTLIVE_CLUSTER_HOME"] ?? join(cache, "outlive-cluster"), "newest");
const binaries = join(home, "bin", "current");

const commands = ["kube-apiserver", "kube-controller-manager", "kubectl"].map(
  (name) => `k8s.io/kubernetes/cmd/${name}`,
);
const source = join(home, "src", "current");
mkdirSync(binaries, { recursive: true });
execFileSync("node", [join(values.tools, "gomod.mjs"), KUBERNETES, source, ...commands], { stdio: "inherit" });
go(source, "build", "-trimpath", "-ldflags", `-s -w -checklinkname=0 ${stamps()}`, "-o", `${binaries}/`, ...commands);
buildEtcd();

function go(cwd: string, ...args: readonly string[]): void {
  const env = { ...environment, GOFLAGS: "-mod=mod -buildvcs=false -p=1" };
  execFileSync("go", args, { cwd, stdio: "inherit", env });
}

/** The server names its version in discovery. A build from modules has none by itself. */
function stamps(): string {
  const [, minor = ""] = KUBERNETES.split(".");
  const version = [`gitVersion=${KUBERNETES}`, "gitMajor=1", `gitMinor=${minor}`, "gitTreeState=clean"];
  const packages = ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"];
  return packages.flatMap((name) => version.map((stamp) => `-X ${name}.${stamp}`)).join(" ");
}

/** The launcher builds the same etcd for its own releases. */
function buildEtcd(): void {
  const binary = join(home, "bin", "etcd");
  if (existsSync(binary)) return;
  const shared = join(home, "..", "bin", "etcd");
  if (existsSync(shared)) {
    symlinkSync(shared, binary);
    return;
  }
  const folder = join(home, "src", "etcd");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "go.mod"), "module outlive.test/cluster/etcd\n\ngo 1.26\n");
  go(folder, "get", `go.etcd.io/etcd/server/v3@${ETCD}`);
  go(folder, "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, "go.etcd.io/etcd/server/v3");
}
