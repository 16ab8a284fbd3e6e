import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** A partition: `cut` refuses and ends connections, `silent` keeps them open and transfers nothing. */
export type Partition = "cut" | "silent";

/** Forwards connections to a port of this machine, and can separate both sides. */
export class TcpProxy {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  #partition: Partition | undefined;

  constructor(port: number) {
    this.#server = createServer((near) => this.#join(near, port));
  }

  /** Returns its own port. */
  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return (this.#server.address() as AddressInfo).port;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#open) socket.destroy();
  }

  separate(partition: Partition): void {
    this.#partition = partition;
    for (const socket of this.#open) {
      if (partition === "cut") socket.destroy();
      else socket.pause();
    }
  }

  /** New connections work again. Bytes that were held back arrive. */
  rejoin(): void {
    this.#partition = undefined;
    for (const socket of this.#open) socket.resume();
  }

  #join(near: Socket, port: number): void {
    if (this.#partition === "cut") return void near.destroy();
    const far = connect(port, "127.0.0.1");
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      this.#open.add(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("end", () => to.end());
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#open.delete(from);
        to.destroy();
      });
      if (this.#partition === "silent") from.pause();
    }
  }
}
