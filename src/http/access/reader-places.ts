export interface PlaceLimits {
  /** Bytes that were built and that no client has read yet. No page is built while there are more than this. */
  readonly unreadBytes: number;
  /** Answers that are built at the same time. */
  readonly builtAtOnce: number;
}

export interface PlaceEvents {
  /** Milliseconds, of any origin. */
  readonly now: () => number;
  /** An answer, or a part of it, was built for so many milliseconds. */
  readonly onBuilt: (milliseconds: number) => void;
  /** The last answer has ended. */
  readonly onEmpty: () => void;
}

const UNOBSERVED: PlaceEvents = { now: () => 0, onBuilt: () => undefined, onEmpty: () => undefined };

/** The answers of one reader that are in progress. */
export class ReaderPlaces {
  readonly #limits: PlaceLimits;
  readonly #events: PlaceEvents;
  readonly #waiting: (() => void)[] = [];
  #size = 0;
  #building = 0;
  #unreadBytes = 0;

  constructor(limits: PlaceLimits, events: Partial<PlaceEvents> = {}) {
    this.#limits = limits;
    this.#events = { ...UNOBSERVED, ...events };
  }

  /** How many answers are in progress. */
  get size(): number {
    return this.#size;
  }

  get hasRoom(): boolean {
    return this.#unreadBytes < this.#limits.unreadBytes;
  }

  take(): AnswerPlace {
    this.#size += 1;
    return new AnswerPlace(this);
  }

  leave(): void {
    this.#size -= 1;
    if (this.#size === 0) this.#events.onEmpty();
  }

  countUnread(difference: number): void {
    this.#unreadBytes += difference;
    this.#startNext();
  }

  /** Resolves to the time when one more answer of the reader may be built, in the order of the calls. */
  async beginBuilding(): Promise<number> {
    await new Promise<void>((resolve) => {
      this.#waiting.push(resolve);
      this.#startNext();
    });
    return this.#events.now();
  }

  endBuilding(begunAt: number): void {
    this.#building -= 1;
    this.#events.onBuilt(this.#events.now() - begunAt);
    this.#startNext();
  }

  #startNext(): void {
    while (this.hasRoom && this.#building < this.#limits.builtAtOnce) {
      const start = this.#waiting.shift();
      if (start === undefined) return;
      this.#building += 1;
      start();
    }
  }
}

/** The reservation of one answer. It lasts until all parts of the answer have ended. */
export class AnswerPlace {
  readonly #reader: ReaderPlaces;
  #parts = 0;
  #unreadBytes = 0;
  #builtSince = 0;

  constructor(reader: ReaderPlaces) {
    this.#reader = reader;
  }

  /** Keeps the reservation until `part` settles. The reservation ends with the last of its parts. */
  async keepFor<Result>(part: Promise<Result>): Promise<Result> {
    this.#parts += 1;
    try {
      return await part;
    } finally {
      this.#parts -= 1;
      if (this.#parts === 0) this.#end();
    }
  }

  /** Builds the answer, or one page of it, when this answer may use the CPU. */
  async build<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#builtSince = await this.#reader.beginBuilding();
    try {
      return await work();
    } finally {
      this.#reader.endBuilding(this.#builtSince);
    }
  }

  /** Lets other answers be built while `wait`, which `work` of {@link build} calls, waits for a change. */
  async aside<Result>(wait: () => Promise<Result>): Promise<Result> {
    this.#reader.endBuilding(this.#builtSince);
    try {
      return await wait();
    } finally {
      this.#builtSince = await this.#reader.beginBuilding();
    }
  }

  /** Records how many bytes of the answer were built and not yet read by the client. */
  setUnread(bytes: number): void {
    const difference = bytes - this.#unreadBytes;
    this.#unreadBytes = bytes;
    this.#reader.countUnread(difference);
  }

  #end(): void {
    this.setUnread(0);
    this.#reader.leave();
  }
}
