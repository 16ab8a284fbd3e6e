import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { outputOf, type Ran } from "../running/run-outlive.ts";

/** The configuration of an image (image-spec, config.md). */
export interface ImageConfig {
  readonly User: string;
  readonly WorkingDir: string;
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Env: readonly string[];
  readonly Labels: Readonly<Record<string, string>>;
}

interface Descriptor {
  readonly digest: string;
}

interface Index {
  readonly manifests: readonly [Descriptor];
}

interface Manifest {
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
}

/** What a container engine does without a shell: mounts in a namespace of their own, then the user and the root. */
const RUN = `
set -e
root=$1 volume=$2 folder=$3 user=$4 group=$5
shift 5
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind "$volume" "$root$folder"
mount -o remount,bind,ro "$root"
exec setpriv --clear-groups unshare --root="$root" --wd="$folder" --setgid="$group" --setuid="$user" "$@"
`;

/**
 * The root of an image and one volume at its working folder, to run processes as a container engine would: its user, a
 * root that is read-only, no other writable folder, and an empty environment. The network is that of the machine.
 */
export class UnpackedImage {
  readonly root: string;
  readonly config: ImageConfig;
  readonly #volume: string;
  readonly #running = new Set<ChildProcess>();

  /** Unpacks the first platform of an OCI archive into a folder. */
  constructor(archive: string, folder: string) {
    const layout = join(folder, "layout");
    this.root = join(folder, "root");
    this.#volume = join(folder, "volume");
    for (const path of [layout, this.root, this.#volume]) mkdirSync(path, { recursive: true });
    execFileSync("tar", ["-xf", archive, "-C", layout]);
    const [index] = (json(join(layout, "index.json")) as Index).manifests;
    const [first] = (json(blob(layout, index)) as Index).manifests;
    const { config, layers } = json(blob(layout, first)) as Manifest;
    for (const layer of layers) execFileSync("tar", ["-xzpf", blob(layout, layer), "-C", this.root]);
    this.config = (json(blob(layout, config)) as { readonly config: ImageConfig }).config;
    // Container engines create it.
    mkdirSync(join(this.root, "proc"), { recursive: true });
    const [user = 0, group = 0] = this.config.User.split(":").map(Number);
    chownSync(this.#volume, user, group);
  }

  /** Starts a process of the image. */
  start(args: readonly string[] = this.config.Cmd, entrypoint = this.config.Entrypoint): ChildProcess {
    const { User, WorkingDir } = this.config;
    const places = [this.root, this.#volume, WorkingDir, ...User.split(":")];
    const isolated = ["--mount", "--pid", "--fork", "sh", "-c", RUN, "sh", ...places];
    const child = spawn("unshare", [...isolated, ...entrypoint, ...args], {
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#running.add(child);
    child.once("close", () => this.#running.delete(child));
    return child;
  }

  async run(args?: readonly string[], entrypoint?: readonly string[]): Promise<Ran> {
    const child = this.start(args, entrypoint);
    const output = outputOf(child);
    await once(child, "close");
    return { status: child.exitCode, ...output() };
  }

  /** Ends the processes that a failed test left. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((child) => (signalInImage(child, "SIGKILL"), once(child, "close"))));
  }
}

/** Sends a signal to process 1 of the image. It is the child of `unshare`, which forwards none. */
export function signalInImage({ pid = 0 }: ChildProcess, signal: NodeJS.Signals): void {
  const child = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  if (!/^\d+$/.test(child)) throw new Error(`Process ${pid} has no single child: "${child}".`);
  process.kill(Number(child), signal);
}

function blob(layout: string, { digest }: Descriptor): string {
  return join(layout, "blobs", digest.replace(":", "/"));
}

function json(path: string): unknown {
  return JSON.parse(readFileSync(path, "utf8"));
}
