import { afterEach, beforeEach } from "vitest";
import { ManualClock } from "../running/manual-clock.ts";
import { scratchFolder, type Serving, serveOutlive } from "../running/run-outlive.ts";
import { FakeApiServer } from "./fake-api-server.ts";

/** A fake cluster and a folder, new for each test, and `outlive serve` in that folder, which watches the cluster. */
export class WatchedCluster {
  #scratch: ReturnType<typeof scratchFolder> | undefined;
  #server: FakeApiServer | undefined;

  constructor() {
    beforeEach(async () => {
      this.#scratch = scratchFolder();
      this.#server = await FakeApiServer.open({ clock: new ManualClock(Date.now()) });
    });
    afterEach(async () => {
      await this.#scratch?.remove();
      await this.#server?.close();
    });
  }

  get server(): FakeApiServer {
    if (this.#server === undefined) throw new Error("The cluster exists only during a test.");
    return this.#server;
  }

  get folder(): string {
    return this.#scratch?.path ?? "";
  }

  serve(): Promise<Serving> {
    const args = ["serve", "--kubeconfig", this.server.kubeconfig(), "--cluster", "laptop", "--listen", "127.0.0.1:0"];
    return serveOutlive(args, { cwd: this.folder });
  }
}
