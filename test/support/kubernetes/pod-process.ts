import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Ran } from "../running/run-outlive.ts";

const CHECKOUT = join(import.meta.dirname, "../../..");
/** The user and the group of the charts' Pods. */
const USER = 65_532;

/** What the kubelet mounts: a read-only root over that of the machine, the program, and the volumes of the Pod. */
const RUN = `
set -e
scratch=$1 user=$2 node=$3 checkout=$4
shift 4
mount -t tmpfs tmpfs "$scratch"
root=$scratch/root
mkdir "$scratch/upper" "$scratch/work" "$root"
mount -t overlay overlay -o "lowerdir=/,upperdir=$scratch/upper,workdir=$scratch/work" "$root"
mkdir -p "$root/pod/checkout"
: > "$root/pod/node"
mount --bind "$node" "$root/pod/node"
mount --bind "$checkout" "$root/pod/checkout"
while [ "$1" != -- ]; do
  # A link, such as that of /var/run, is one of the Pod's root.
  target=$(chroot "$root" sh -c 'mkdir -p "$1" && cd "$1" && pwd -P' sh "$2")
  mount --bind "$1" "$root$target"
  shift 2
done
shift
mount --rbind /proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -o remount,ro "$root"
exec setpriv --clear-groups unshare --root="$root" --wd=/ --setgid="$user" --setuid="$user" \\
  /pod/node /pod/checkout/cli/outlive.js "$@"
`;

/** The parts of a container that decide what its process does. */
export interface PodContainer {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

export interface PodVolumes {
  /** Files by the folder in which the Pod has them, such as Secrets. */
  readonly files: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** The folder of the volume that can be written, in the Pod. */
  readonly data: string;
}

export interface RunningPod {
  readonly url: string;
  /** Ends it as the kubelet does. */
  readonly stop: () => Promise<Ran>;
}

/**
 * Runs containers of `outlive` without a kubelet or an image: this checkout, as the Pod's user, on a read-only root,
 * with the Pod's own arguments, environment and volumes. Only the address to listen on is another. Needs root.
 */
export class PodProcess {
  readonly #folder: string;
  readonly #running = new Set<ChildProcess>();
  #started = 0;

  /** `folder` keeps the writable volume: the next process has it too. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(this.#data);
    chownSync(this.#data, USER, USER);
    chmodSync(folder, 0o755);
  }

  async start({ args, env }: PodContainer, { files, data }: PodVolumes): Promise<RunningPod> {
    this.#started += 1;
    const scratch = join(this.#folder, `root-${this.#started}`);
    mkdirSync(scratch);
    const mounts = [this.#data, data, ...Object.entries(files).flatMap((entry) => [this.#folderOf(entry), entry[0]])];
    const places = [scratch, String(USER), process.execPath, CHECKOUT, ...mounts, "--"];
    const isolated = ["--mount", "sh", "-c", RUN, "sh", ...places, ...args, "--listen=127.0.0.1:0"];
    const set = Object.fromEntries(env.map(({ name, value = "" }) => [name, value]));
    const child = spawn("unshare", isolated, {
      env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", ...set },
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#running.add(child);
    child.once("close", () => this.#running.delete(child));
    return serving(child);
  }

  /** Ends the processes that a failed test left. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#running].map(async (child) => {
        const closed = once(child, "close");
        child.kill("SIGKILL");
        await closed;
      }),
    );
  }

  get #data(): string {
    return join(this.#folder, "data");
  }

  #folderOf([path, content]: readonly [string, Readonly<Record<string, string>>]): string {
    const folder = join(this.#folder, `files-${this.#started}${path.replaceAll("/", "-")}`);
    mkdirSync(folder);
    for (const [name, text] of Object.entries(content)) writeFileSync(join(folder, name), text, { mode: 0o644 });
    return folder;
  }
}

/** Resolves once the process serves. */
async function serving(child: ChildProcess): Promise<RunningPod> {
  let stderr = "";
  const closed = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
      const found = /Serving .*?(http:\/\/[^\s/]+)/.exec(stderr)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("close", () => reject(new Error(`It ended: ${stderr}`)));
  });
  return {
    url,
    stop: async () => {
      child.kill("SIGTERM");
      await closed;
      return { status: child.exitCode, stdout: "", stderr };
    },
  };
}
