import type { Context, MiddlewareHandler } from "hono";
import type { MetricFormat } from "../count/metrics/render-metrics.ts";

/** A request whose answer is ready: its headers, and the first part of its body. */
export interface AnsweredRequest {
  readonly method: string;
  /** The template of the route, or `unmatched`. It contains no names. */
  readonly route: string;
  /** 499 if the client has left before the answer was ready. */
  readonly status: number;
  /** From the arrival of the request, without the time in which the answer waited for a change. */
  readonly milliseconds: number;
}

/** The figures of a server about itself. */
export interface ServerMetrics {
  readonly onAnswered: (request: AnsweredRequest) => void;
  /** A monotonic clock: milliseconds since an arbitrary moment. */
  readonly elapsed: () => number;
  /** The figures in this format, without the end of the exposition. */
  readonly text: (format: MetricFormat) => Promise<string>;
}

interface Measured {
  readonly begunAt: number;
  route: string;
  asideMillis: number;
  hasLeft: boolean;
}

const UNMATCHED = "unmatched";
/** The status by which nginx logs that the client has closed the connection. */
export const CLIENT_LEFT = 499;

/** Measures each request until its answer is ready. Without metrics, it measures nothing. */
export class RequestMeter {
  readonly #metrics: ServerMetrics | undefined;
  readonly #current = new WeakMap<Request, Measured>();

  constructor(metrics: ServerMetrics | undefined) {
    this.#metrics = metrics;
  }

  readonly middleware: MiddlewareHandler = async (context, next) => {
    if (this.#metrics === undefined) return next();
    const { elapsed, onAnswered } = this.#metrics;
    const measured: Measured = { begunAt: elapsed(), route: UNMATCHED, asideMillis: 0, hasLeft: false };
    this.#current.set(context.req.raw, measured);
    await next();
    const { begunAt, route, asideMillis, hasLeft } = measured;
    onAnswered({
      method: context.req.method,
      route,
      status: hasLeft ? CLIENT_LEFT : context.res.status,
      milliseconds: elapsed() - begunAt - asideMillis,
    });
  };

  /** Names the route of the request by its template. */
  setRoute({ req }: Context, template: string): void {
    const measured = this.#current.get(req.raw);
    if (measured !== undefined) measured.route = template;
  }

  /** The client has left, and gets no answer. */
  setLeft({ req }: Context): void {
    const measured = this.#current.get(req.raw);
    if (measured !== undefined) measured.hasLeft = true;
  }

  /** Leaves this wait out of the duration of the request. */
  async aside<Result>(request: Request, wait: () => Promise<Result>): Promise<Result> {
    const measured = this.#current.get(request);
    if (this.#metrics === undefined || measured === undefined) return wait();
    const { elapsed } = this.#metrics;
    const begunAt = elapsed();
    try {
      return await wait();
    } finally {
      measured.asideMillis += elapsed() - begunAt;
    }
  }
}
