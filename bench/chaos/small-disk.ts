import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A disk of its own (tmpfs), which can be filled to the last byte. Mounting it needs root. */
export class SmallDisk {
  readonly path: string;
  readonly #ballast: string;
  readonly isMounted: boolean;

  constructor(path: string, megabytes: number) {
    this.path = path;
    this.#ballast = join(path, "ballast");
    mkdirSync(path, { recursive: true });
    this.isMounted = isMounted(path, megabytes);
  }

  /** Returns whether it could: without a disk of its own, nothing is filled. */
  fill(): boolean {
    if (!this.isMounted) return false;
    const { bavail, bsize } = statfsSync(this.path);
    try {
      writeFileSync(this.#ballast, Buffer.alloc(bavail * bsize));
    } catch (cause) {
      // Another process took the last bytes in the meantime.
      if (!(cause instanceof Error) || !("code" in cause) || cause.code !== "ENOSPC") throw cause;
    }
    return true;
  }

  empty(): void {
    rmSync(this.#ballast, { force: true });
  }

  unmount(): void {
    if (this.isMounted) execFileSync("umount", ["--lazy", this.path]);
  }
}

function isMounted(path: string, megabytes: number): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${megabytes}m`, "tmpfs", path], { stdio: "ignore" });
    return true;
  } catch (cause) {
    // Not root, or not Linux.
    if (cause instanceof Error) return false;
    throw cause;
  }
}
